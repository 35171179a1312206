/** The clock of this process is off by CARGUE_TEST_SHIFT milliseconds, and jumps to and fro by as much every few seconds. */
const shift = Number(process.env['CARGUE_TEST_SHIFT'] ?? 0);
if (shift !== 0) {
  const now = Date.now.bind(Date);
  const off = () => (Math.floor(now() / 7_000) % 2 === 0 ? shift : -shift);
  Date.now = () => now() + off();
}
