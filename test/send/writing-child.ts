import { databaseOf, openFile } from '../../src/send/sqlite.js';

/** Writes lines into a table, by turns in groups and in transactions: `file who lines`. */
const [path = '', who = '', lines = ''] = process.argv.slice(2);
const file = openFile(path, 30_000);
const database = databaseOf(file);
const writer = await database.writer();
const text = 'x'.repeat(20_000);
for (let n = 0; n < Number(lines); n += 2) {
  await writer.commit(['INSERT INTO line VALUES (?, ?, ?)', who, n, text]);
  await database.run('INSERT INTO line VALUES (?, ?, ?)', who, n + 1, text);
}
await writer.close();
await database.close();
