import type { Access, Setup } from '../family.js';
import { configureHealthAccess, type HealthAccess } from './answer.js';

const LISTS: Setup['lists'] = {
  getPatientTables: {
    document_types: 'type_document_identifications',
    user_types: 'rips_user_types',
    genders: 'rips_genders',
    zones: 'rips_zones',
    municipalities: 'municipalities',
  },
  getServiceTables: {
    care_modalities: 'rips_care_modalities',
    service_groups: 'rips_service_groups',
    main_diagnosis_types: 'rips_main_diagnosis_types',
    collection_concepts: 'rips_collection_concepts',
    consultation_purposes: 'rips_consultation_purposes',
    external_causes: 'rips_external_causes',
  },
  getHealthDocumentTypes: { health_type_document_identifications: 'health_type_document_identifications' },
  getHealthUserTypes: { health_type_users: 'health_type_users' },
  getHealthPaymentMethods: { health_contracting_payment_methods: 'health_contracting_payment_methods' },
  getHealthCoverages: { health_coverages: 'health_coverages' },
};

/** Login by which the service uses the ministry's platform for the clinic. */
const ACCESS: Access = {
  schema: 'rips/configuration',
  password: {
    question: 'askSisproPassword',
    needs: { code: 'send/needs-sispro-password', params: {} },
  },
  unreadable: (reason) => ({ code: 'send/health-access-file', params: { reason } }),
  done: 'sisproStored',
  store: (client, access) => configureHealthAccess(client, access as unknown as HealthAccess),
};

export const SETUP: Setup = { access: ACCESS, lists: LISTS };
