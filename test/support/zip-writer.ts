import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: string | Buffer;
  /** Without compression. */
  readonly stored?: boolean;
  /** What the directory says, when it shall lie. */
  readonly claims?: {
    readonly size?: number;
    readonly checksum?: number;
    readonly flags?: number;
    readonly method?: number;
    readonly offset?: number;
  };
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/** A zip with these entries, in this order. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, stored = false, claims = {} } of entries) {
    const plain = Buffer.from(data as string);
    const packed = stored ? plain : deflateRawSync(plain);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(claims.flags ?? 0, 2);
    common.writeUInt16LE(claims.method ?? (stored ? 0 : 8), 4);
    common.writeUInt32LE(claims.checksum ?? crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claims.size ?? plain.length, 18);
    common.writeUInt16LE(path.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(claims.offset ?? offset, 10);
    const local = Buffer.concat([uint32(LOCAL), common, path, packed]);
    directory.push(uint32(CENTRAL), Buffer.from([20, 0]), common, tail, path);
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, uint32(END), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
