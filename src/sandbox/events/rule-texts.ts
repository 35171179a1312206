/** What DIAN says beside a rule's id (events.md 3). Any other id gets a general text. */
export const EVENT_RULE_TEXTS: Readonly<Record<string, string>> = {
  // The service compares this sentence, letter by letter, before it marks its book.
  '90': 'Documento procesado anteriormente.',
  LGC01: 'el evento ya se encuentra registrado para la factura',
  LGC02: 'la factura tiene una aceptación registrada',
  LGC03: 'no existe recibo del bien o servicio previo al reclamo',
  LGC04: 'la factura tiene un reclamo registrado',
  LGC05: 'la factura tiene una aceptación expresa registrada',
  LGC07: 'la factura tiene una aceptación tácita registrada',
  LGC09: 'no existe acuse de recibo previo',
  LGC12: 'no existe acuse de recibo previo a la aceptación',
  LGC13: 'no existe recibo del bien o servicio previo a la aceptación',
  LGC14: 'no existe recibo del bien o servicio, o no han transcurrido tres días hábiles sin reclamo',
  LGC62: 'la factura no es una venta a crédito',
};
