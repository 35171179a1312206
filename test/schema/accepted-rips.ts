import type { RipsProfile } from '../../src/families/rips/national.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';

/** A package in the shape of one that the ministry gave a CUV, with invented persons, sites and invoices. */
interface Accepted {
  readonly about: string;
  readonly profile: RipsProfile;
  readonly on: string;
  readonly sent: JsonObject;
  /** What is said of it without any table: what the ministry noted, or has come to reject since. */
  readonly noted: readonly string[];
}

const PROFESSIONAL = { tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9900000007' };
const UNPAID = { conceptoRecaudo: '05', valorPagoModerador: 0, numFEVPagoModerador: null };
const SITE = '110010990101';

const consultation = (more: JsonObject): JsonObject => ({
  codPrestador: SITE,
  fechaInicioAtencion: '2025-02-14 17:53',
  numAutorizacion: null,
  codConsulta: '890701',
  modalidadGrupoServicioTecSal: '01',
  grupoServicios: '05',
  codServicio: 1102,
  finalidadTecnologiaSalud: '15',
  causaMotivoAtencion: '38',
  codDiagnosticoPrincipal: 'M773',
  codDiagnosticoRelacionado1: null,
  codDiagnosticoRelacionado2: null,
  codDiagnosticoRelacionado3: null,
  tipoDiagnosticoPrincipal: '01',
  ...PROFESSIONAL,
  vrServicio: 17706,
  ...UNPAID,
  consecutivo: 1,
  ...more,
});

const user = (more: JsonObject): JsonObject => ({
  tipoDocumentoIdentificacion: 'CC',
  numDocumentoIdentificacion: '9800000021',
  tipoUsuario: '01',
  fechaNacimiento: '1984-04-16',
  codSexo: 'F',
  codPaisResidencia: '170',
  codMunicipioResidencia: '11001',
  codZonaTerritorialResidencia: '02',
  incapacidad: 'NO',
  consecutivo: 1,
  codPaisOrigen: '170',
  ...more,
});

const WITH_INVOICE = { numFactura: 'FIC443346', tipoNota: null, numNota: null };

export const ACCEPTED: readonly Accepted[] = [
  {
    about: 'an emergency with its medicines and supplies, of an invoice',
    profile: '2275',
    on: '2025-02-16',
    noted: ['RVC086'],
    sent: {
      numDocumentoIdObligado: '900123456',
      ...WITH_INVOICE,
      usuarios: [
        user({
          servicios: {
            consultas: [consultation({})],
            urgencias: [
              {
                codPrestador: SITE,
                fechaInicioAtencion: '2025-02-14 16:14',
                causaMotivoAtencion: '38',
                codDiagnosticoPrincipal: 'M773',
                codDiagnosticoPrincipalE: 'M773',
                codDiagnosticoRelacionadoE1: null,
                codDiagnosticoRelacionadoE2: null,
                codDiagnosticoRelacionadoE3: null,
                condicionDestinoUsuarioEgreso: '01',
                codDiagnosticoCausaMuerte: null,
                fechaEgreso: '2025-02-14 18:25',
                consecutivo: 1,
              },
            ],
            medicamentos: [
              {
                codPrestador: SITE,
                numAutorizacion: null,
                idMIPRES: null,
                fechaDispensAdmon: '2025-02-14 17:52',
                codDiagnosticoPrincipal: 'M773',
                codDiagnosticoRelacionado: 'M773',
                tipoMedicamento: '01',
                codTecnologiaSalud: '19992190-03',
                nomTecnologiaSalud: 'DICLOFENACO SODICO 75  mg / 3 ',
                concentracionMedicamento: 0,
                unidadMedida: 0,
                formaFarmaceutica: null,
                unidadMinDispensa: 1,
                cantidadMedicamento: 1,
                diasTratamiento: 1,
                ...PROFESSIONAL,
                vrUnitMedicamento: 898,
                vrServicio: 898,
                ...UNPAID,
                consecutivo: 1,
              },
            ],
            otrosServicios: [
              {
                codPrestador: SITE,
                numAutorizacion: null,
                idMIPRES: null,
                fechaSuministroTecnologia: '2025-02-14 17:52',
                tipoOS: '01',
                codTecnologiaSalud: 'JERI002',
                nomTecnologiaSalud: 'JERINGA 10 ML ',
                cantidadOS: 1,
                ...PROFESSIONAL,
                vrUnitOS: 2014,
                vrServicio: 2014,
                ...UNPAID,
                consecutivo: 1,
              },
            ],
          },
        }),
      ],
    },
  },
  {
    about: 'a consultation without invoice and without value, before that was rejected',
    profile: '2275',
    on: '2025-04-10',
    noted: ['RVC091'],
    sent: {
      numDocumentoIdObligado: '900123456',
      numFactura: null,
      tipoNota: 'RS',
      numNota: '1',
      usuarios: [
        user({
          tipoUsuario: '12',
          codMunicipioResidencia: '76001',
          codZonaTerritorialResidencia: '01',
          servicios: {
            consultas: [
              consultation({
                fechaInicioAtencion: '2025-04-09 09:37',
                codConsulta: '890201',
                grupoServicios: '02',
                codServicio: 748,
                codDiagnosticoPrincipal: 'Z012',
                vrServicio: 0,
              }),
            ],
          },
        }),
      ],
    },
  },
  {
    about: 'a procedure of an invoice',
    profile: '2275',
    on: '2025-03-13',
    noted: [],
    sent: {
      numDocumentoIdObligado: '900123456',
      ...WITH_INVOICE,
      usuarios: [
        user({
          servicios: {
            procedimientos: [
              {
                codPrestador: SITE,
                fechaInicioAtencion: '2025-03-12 08:10',
                idMIPRES: null,
                numAutorizacion: null,
                codProcedimiento: '115308',
                viaIngresoServicioSalud: '01',
                modalidadGrupoServicioTecSal: '01',
                grupoServicios: '04',
                codServicio: 204,
                finalidadTecnologiaSalud: '16',
                ...PROFESSIONAL,
                codDiagnosticoPrincipal: 'H110',
                codDiagnosticoRelacionado: null,
                codComplicacion: null,
                vrServicio: 850000,
                ...UNPAID,
                consecutivo: 1,
              },
            ],
          },
        }),
      ],
    },
  },
];
