import { builtInFormat, customFormat, type NumberFormat } from './number-format.js';
import { readXml } from './xml.js';
import type { ZipArchive, ZipPart } from './zip.js';

/** The number format of every cell style, by the index that a cell's `s` names. */
export async function readStyles(zip: ZipArchive, part: ZipPart): Promise<readonly NumberFormat[]> {
  const custom = new Map<number, NumberFormat>();
  const styleIds: number[] = [];
  // `xf` and `numFmt` also occur in other lists, with other meanings.
  let list = '';
  await readXml(zip, part, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') list = name;
      else if (name === 'numFmt' && list === 'numFmts')
        custom.set(Number(attributes['numFmtId']), customFormat(attributes['formatCode'] ?? ''));
      else if (name === 'xf' && list === 'cellXfs') styleIds.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return styleIds.map((id) => custom.get(id) ?? builtInFormat(id));
}
