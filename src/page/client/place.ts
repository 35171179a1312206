import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the parts of the address: `#/upload/ID/STEP`, `#/run/RUN`, `#/companies/MONTH/FILTER`, `#/settings`; empty for the first
 * screen.
 */
export function usePlace(): readonly string[] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    changed(); // it may have changed before this listens
    return () => removeEventListener('hashchange', changed);
  }, []);
  return hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
}

export const go = (...parts: readonly string[]): void => {
  location.hash = `/${parts.map(encodeURIComponent).join('/')}`;
};
