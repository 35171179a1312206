/** What DIAN says beside a rule's id. Any other id gets a general text. */
export const RULE_TEXTS: Readonly<Record<string, string>> = {
  '90': 'Documento procesado anteriormente.',
  NIE023: 'el ambiente del documento no corresponde al de destino',
  NIE024: 'el CUNE no corresponde a los valores del documento',
  NIE026: 'la fecha de generación no es la fecha real de emisión',
  NIE187: 'el total devengado no corresponde a la suma',
  NIE188: 'el total de deducciones no corresponde a la suma',
  NIE189: 'el total del comprobante no corresponde',
  NIE199: 'ya existe nómina del trabajador en el mes',
  NIE199a: 'no existe nómina anterior del trabajador en el mes para la novedad',
  NIE204: 'el CUNE de la novedad no corresponde a una nómina del trabajador en el mes',
  NIAE191a: 'el documento a reemplazar no se encuentra',
  NIAE216a: 'el documento a eliminar no se encuentra',
  VLR01: 'los valores deben ser positivos',
};
