import type { AdjustOptions } from './adjust.js';
import type { ApiOptions } from './api.js';
import type { ApproveOptions } from './approve.js';
import type { CatalogueOptions } from './catalogue.js';
import type { ConvertOptions } from './convert.js';
import type { EmailOptions } from './email.js';
import type { WatchOptions } from './inbox.js';
import type { WriteOptions } from './inspect.js';
import type { EventsOptions } from './invoice-events.js';
import type { JournalOptions } from './journal.js';
import type { LawOptions } from './law.js';
import type { MappingShowOptions } from './mapping.js';
import type { WorkerOptions } from './options.js';
import type { PreviewOptions } from './preview.js';
import type { ProfileOptions } from './profile.js';
import type { ReportOptions } from './report.js';
import type { ResumeOptions } from './resume.js';
import type { StartOptions } from './sandbox.js';
import type { SchemaOptions } from './schema.js';
import type { SetupOptions } from './setup.js';
import type { StatusOptions } from './status.js';

/** Options of a use case started by name, from the command line or the page. */
export type AnyOptions = AdjustOptions &
  MappingShowOptions &
  ApiOptions &
  ApproveOptions &
  CatalogueOptions &
  ConvertOptions &
  EmailOptions &
  EventsOptions &
  JournalOptions &
  LawOptions &
  PreviewOptions &
  ProfileOptions &
  ReportOptions &
  ResumeOptions &
  SchemaOptions &
  SetupOptions &
  StartOptions &
  StatusOptions &
  WatchOptions &
  WorkerOptions &
  WriteOptions;
