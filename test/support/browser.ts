import chromium from '@sparticuz/chromium';

/** The browser that npm brings is unpacked once, before several files of tests start it. */
export default async function setup(): Promise<void> {
  process.env['CHROME_PATH'] ??= await chromium.executablePath();
}
