import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { stop } from '../../issues/pipeline-error.js';
import { LEAVES_FOLDER, passedOver } from '../csv/text-zip.js';
import { isOfficeFile } from '../xlsx/workbook.js';
import { openZip, type ZipArchive, type ZipPart } from '../xlsx/zip.js';
import { type XmlFile, type XmlInput, xmlInput } from './table.js';

/** Bytes up to a little more than `most`: enough to see that there are too many. */
async function upTo(chunks: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return Buffer.concat(parts);
}

const onDisk = (path: string): XmlFile => ({
  name: basename(path),
  read: (most) => upTo(createReadStream(path) as AsyncIterable<Buffer>, most),
});

const nameOf = ({ name }: ZipPart): string => name.replace(/^.*[\\/]/, '');

/** Archives of other systems hold files of the system itself: `__MACOSX/._a.xml`. */
const isDocument = (part: ZipPart): boolean => /^[^.].*\.xml$/i.test(nameOf(part));

/** The XML documents of a zip; a workbook is a zip with XML parts too, and has none. */
export const documentsIn = (zip: ZipArchive): readonly ZipPart[] =>
  isOfficeFile(zip) ? [] : zip.parts.filter(isDocument);

export const openXml = (path: string, file: string): XmlInput => xmlInput(path, file, [onDisk(path)]);

/** The parts of a zip that is opened for the first of them and closed behind the last: a folder may hold thousands of zips. */
function partsOf(path: string, { file, limits }: ZipArchive, parts: readonly ZipPart[]) {
  let zip: ZipArchive | undefined;
  let left = 0;
  const close = async (): Promise<void> => {
    await zip?.close();
    zip = undefined;
  };
  const files = parts.map(
    (part): XmlFile => ({
      name: nameOf(part),
      async read(most) {
        if (zip === undefined) {
          zip = await openZip(path, file, limits);
          left = parts.length;
        }
        const bytes = await upTo(zip.part(part.name)!.chunks(), most);
        left -= 1;
        if (left === 0) await close();
        return bytes;
      },
    }),
  );
  return { files, close };
}

/**
 * The documents of a zip, which this closes; nothing is unpacked to the disk.
 * @throws PipelineError `input`: `file/zip-path`; while rows are read, what the zip can say
 */
export async function openXmlZip(
  path: string,
  zip: ZipArchive,
  parts: readonly ZipPart[],
): Promise<XmlInput> {
  await zip.close();
  const outside = parts.find(({ name }) => LEAVES_FOLDER.test(name));
  if (outside !== undefined)
    stop('input', { code: 'file/zip-path', params: { part: outside.name }, place: { file: zip.file } });
  const { files, close } = partsOf(path, zip, parts);
  return xmlInput(path, zip.file, files, {
    close,
    passedOver: passedOver(zip, (part) => parts.includes(part)),
  });
}
