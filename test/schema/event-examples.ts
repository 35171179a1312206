/** The worked examples of the acquirer events (service.md 13.9). */

export const CUFE =
  '1bc079219cbc8e38482c9dc14323fc3ef0ba89ca455d0007f357c338c23a889875d5c96507ce868f8f83afbe85bbb3b4';

export const RECEIPT = {
  event_id: 1,
  document_reference: { cufe: CUFE },
  issuer_party: {
    identification_number: '1020304050',
    first_name: 'Ana',
    last_name: 'Pérez',
    organization_department: 'Compras',
    job_title: 'Auxiliar',
  },
};

export const CLAIM = {
  event_id: 2,
  type_rejection_id: 3,
  base64_attacheddocument: 'PD94bWwgdmVyc2lvbj0iMS4wIj8+',
  base64_attacheddocument_name: 'ad08600123450002600002301.xml',
  sendmail: false,
};

export const RECEPTION = { company_idnumber: '900123456', xml_document: 'PD94bWwgdmVyc2lvbj0iMS4wIj8+' };
