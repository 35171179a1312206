/** Web services of DIAN that a company's documents can be pointed at, by environment. */
export const DIAN_ADDRESS = {
  test: 'https://vpfe-hab.dian.gov.co/WcfDianCustomerServices.svc',
  production: 'https://vpfe.dian.gov.co/WcfDianCustomerServices.svc',
} as const;

const comparable = (address: string): string => {
  if (!URL.canParse(address)) return address.trim();
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/+$/, '')}`;
};

/** Whether two addresses lead to the same place: `…svc` and `…svc?wsdl` do. */
export const sameAddress = (a: string, b: string): boolean => comparable(a) === comparable(b);
