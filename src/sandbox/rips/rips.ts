import type { OperationId } from '../../generated/operations.js';
import type { Handler } from '../answer.js';
import type { Context } from '../context.js';
import { appointmentCreation, appointmentList, appointmentReading } from './appointments.js';
import {
  diagnosisSearch,
  invoiceTable,
  patientTables,
  procedureSearch,
  serviceTables,
} from './code-lists.js';
import { configurationSetup } from './configuration.js';
import type { RipsContext } from './context.js';
import { documentCreation } from './documents.js';
import { generation } from './generation.js';
import { patientCreation, patientList, patientReading, patientUpdate } from './patients.js';
import { openProfessionals, type Professionals } from './professionals.js';
import {
  providerCreation,
  providerDeletion,
  providerList,
  providerReading,
  providerUpdate,
} from './providers.js';
import { openRecords, type Records } from './records.js';

export interface Rips {
  readonly handlers: ReturnType<typeof handlersOf>;
  readonly records: Records;
  readonly professionals: Professionals;
}

const handlersOf = (context: RipsContext) =>
  ({
    configureRips: configurationSetup(context),
    listServiceProviders: providerList(context),
    createServiceProvider: providerCreation(context),
    getServiceProvider: providerReading(context),
    updateServiceProvider: providerUpdate(context),
    deleteServiceProvider: providerDeletion(context),
    getPatientTables: patientTables(),
    listPatients: patientList(context),
    createPatient: patientCreation(context),
    getPatient: patientReading(context),
    updatePatient: patientUpdate(context),
    listAppointments: appointmentList(context),
    createAppointment: appointmentCreation(context),
    getAppointment: appointmentReading(context),
    getServiceTables: serviceTables(),
    searchProcedures: procedureSearch(),
    searchDiagnoses: diagnosisSearch(),
    createRipsDocument: documentCreation(context),
    generateRips: generation(context),
    getHealthDocumentTypes: invoiceTable('health_type_document_identifications'),
    getHealthUserTypes: invoiceTable('health_type_users'),
    getHealthPaymentMethods: invoiceTable('health_contracting_payment_methods'),
    getHealthCoverages: invoiceTable('health_coverages'),
  }) satisfies Partial<Record<OperationId, Handler>>;

/** The operations of the health module, R1–R23 (service.md 3.2). */
export function openRips(context: Context): Rips {
  const records = openRecords(context.store);
  const professionals = openProfessionals(context.store, context.settings.companies);
  return { handlers: handlersOf({ ...context, records, professionals }), records, professionals };
}
