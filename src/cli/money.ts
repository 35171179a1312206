import type { Language } from '../issues/issue.js';

/** `1750905.00` → `1.750.905,00`, without passing through a float. */
export function formatMoney(amount: string, language: Language): string {
  const [whole = '', cents = '00'] = amount.split('.');
  const [thousands, decimal] = language === 'es' ? ['.', ','] : [',', '.'];
  return whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands) + decimal + cents;
}
