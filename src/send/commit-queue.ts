/** Takes a write; the promise resolves once it is on the disk, and rejects when it will never be. */
export type Commit = (write: () => void) => Promise<void>;

/**
 * Group commit: writes asked for in the same turn of the event loop share one transaction.
 * The disk is waited for once a group, and still nobody goes on before his own write is durable.
 */
export function commitQueue(transaction: (work: () => void) => void): Commit {
  let writes: (() => void)[] = [];
  let group: Promise<void> | undefined;

  const flush = (): void => {
    const mine = writes;
    writes = [];
    group = undefined;
    transaction(() => {
      for (const write of mine) write();
    });
  };

  return (write) => {
    writes.push(write);
    group ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          flush();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return group;
  };
}
