import { OPERATIONS, type Operation } from '../generated/operations.js';

const lineOf = ({ id, method, path, body }: Operation): string =>
  `    ${id.padEnd(26)}${method.padEnd(7)}${path}${body === null ? '' : `  body: ${body}`}`;

/** Every operation of the service by tag, a line each: name, method, path, schema of the body. */
export function operationList(): string {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const tags = new Set(operations.map(({ tag }) => tag));
  const blocks = [...tags].map((tag) => {
    const lines = operations.filter((operation) => operation.tag === tag).map(lineOf);
    return [`  ${tag}:`, ...lines].join('\n');
  });
  return `\n${blocks.join('\n\n')}`;
}
