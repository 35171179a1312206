import { useState } from 'preact/hooks';
import type { CompaniesMonth, CompanyRow, MonthJob } from '../../app/month-view.js';
import { JOBS } from '../../generated/texts-page.js';
import { addMonths } from '../../toolkit/core/plain-date.js';
import type { HomeView, UploadView } from '../api.js';
import {
  Deadline,
  type JobKind,
  jobState,
  MonthHead,
  signed,
  uploadState,
  useReload,
  withQuery,
} from './home.js';
import { Issues, Table } from './parts.js';
import { foldText } from './picker.js';
import { go } from './place.js';
import { sendingOf } from './screen.js';
import { call, useLoaded } from './server.js';
import { count, day, language, money, month as monthText, t } from './words.js';

/** Filters: every company, those with something to do, with files to go on with, or with a job in one of the states. */
const FILTERS = ['all', 'toDo', 'withFiles', 'missing', 'held', 'open', 'refused', 'sent'] as const;
type Filter = (typeof FILTERS)[number];

const FILTER_TEXTS = {
  all: 'allCompanies',
  toDo: 'withWork',
  withFiles: 'withFiles',
  missing: 'jobMissing',
  held: 'jobHeld',
  open: 'halfDone',
  refused: 'notAccepted',
  sent: 'upToDate',
} as const;

/** Company with the open uploads that were not sent yet. */
interface CompanyWork extends CompanyRow {
  readonly files: readonly UploadView[];
}

const kindsOf = ({ jobs }: CompanyRow): readonly JobKind[] => jobs.map((job) => jobState(job).kind);

function passes(company: CompanyWork, filter: Filter): boolean {
  const kinds = kindsOf(company);
  const hasFiles = company.files.length > 0;
  if (filter === 'all') return true;
  if (filter === 'withFiles') return hasFiles;
  if (filter === 'sent') return kinds.length > 0 && kinds.every((kind) => kind === 'sent');
  if (filter === 'toDo') return hasFiles || kinds.some((kind) => kind !== 'sent');
  return kinds.includes(filter);
}

/** Returns the day by which a company must act; empty for none. */
const dueOf = ({ jobs }: CompanyRow): string =>
  jobs
    .filter((job) => jobState(job).kind !== 'sent')
    .flatMap(({ deadlines: [first] }) => first?.date ?? [])
    .sort()[0] ?? '9999';

interface CompaniesProps {
  readonly home: HomeView | undefined;
  /** Month in the address; undefined for the one to send next. */
  readonly month: string | undefined;
  /** Filter in the address. */
  readonly filter: string | undefined;
  /** Reloads the company that is chosen. */
  reload(): Promise<void>;
}

/** Shows the month of all companies, those with the earliest deadline first. */
export function Companies({ home, month: wanted, filter: given, reload }: CompaniesProps) {
  const { value, refused } = useLoaded<CompaniesMonth>(withQuery('/companies', { month: wanted }));
  const [search, setSearch] = useState('');
  useReload(home, reload);
  if (value === undefined)
    return refused.length > 0 ? <Issues issues={refused} /> : <p role="status">{t('working')}</p>;
  const { month, today } = value;
  const unsent = home?.uploads.filter((upload) => !sendingOf(upload)?.hasBegunToSend) ?? [];
  const companies = value.companies.map(
    (company): CompanyWork => ({
      ...company,
      files: unsent.filter(({ profile }) => profile === company.profile),
    }),
  );
  const filter = FILTERS.find((name) => name === given) ?? 'all';
  const words = foldText(search).split(/\s+/).filter(Boolean);
  const shown = companies
    .filter((company) => passes(company, filter))
    .filter(({ profile, company }) => words.every((word) => foldText(`${profile} ${company}`).includes(word)))
    .sort((a, b) => dueOf(a).localeCompare(dueOf(b)) || a.profile.localeCompare(b.profile));
  const families = [...new Set(companies.flatMap(({ jobs }) => jobs.map(({ family }) => family)))];
  const open = async (profile: string): Promise<void> => {
    await call('PUT', '/preferences', { profile });
    await reload();
    go('month', month);
  };
  return (
    <div class="home">
      <MonthHead
        title={t('companiesOf', { month: monthText(month), count: companies.length })}
        turn={(months) => `#/companies/${addMonths(month, months)}/${filter}`}
      />
      <p class="hint">{t('todayIs', { date: day(today) })}</p>
      <div class="bar">
        <input
          type="search"
          class="search"
          aria-label={t('searchCompanies')}
          placeholder={t('searchCompanies')}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <nav class="filters" aria-label={t('filters')}>
          {FILTERS.map((name) => (
            <a
              key={name}
              class="button"
              href={`#/companies/${month}/${name}`}
              aria-current={name === filter ? 'true' : undefined}
            >
              {t(FILTER_TEXTS[name])} {count(companies.filter((company) => passes(company, name)).length)}
            </a>
          ))}
        </nav>
      </div>
      <p role="status" class="hint">
        {t('shownCompanies', { shown: count(shown.length), count: count(companies.length) })}
      </p>
      <Table
        label={t('companies')}
        head={[
          t('company'),
          ...families.map(titleOf),
          t('byLaw'),
          [t('pesos'), 'number'],
          [t('difference'), 'number'],
          t('nextAct'),
        ]}
      >
        {shown.map((company) => (
          <Row
            key={company.profile}
            company={company}
            families={families}
            open={() => void open(company.profile)}
          />
        ))}
      </Table>
    </div>
  );
}

const titleOf = (family: string): string => JOBS[family as keyof typeof JOBS]?.[language] ?? family;

interface RowProps {
  readonly company: CompanyWork;
  readonly families: readonly string[];
  open(): void;
}

function Row({ company: { profile, company, jobs, files }, families, open }: RowProps) {
  const byFamily = new Map(jobs.map((job) => [job.family, job]));
  const due = jobs.find((job) => jobState(job).kind !== 'sent' && job.deadlines.length > 0);
  const paid = jobs.find(({ total }) => total !== null);
  const next = jobs.map(jobState).find(({ kind }) => kind !== 'sent');
  return (
    <tr>
      <th scope="row">
        {profile}
        {company !== null && <p class="hint">{t('nitIs', { nit: company })}</p>}
        {files.length > 0 && <Files files={files} />}
      </th>
      {families.map((family) => (
        <td key={family}>
          <JobCell job={byFamily.get(family)} />
        </td>
      ))}
      <td>{due === undefined ? '—' : <Deadline of={due} isDone={false} />}</td>
      <td class="number">{paid?.total == null ? '—' : money(paid.total)}</td>
      <td class="number">{paid?.difference == null ? '—' : signed(paid.difference)}</td>
      <td class="actions">
        <button
          type="button"
          class={next === undefined && files.length === 0 ? undefined : 'primary'}
          aria-label={`${t('open')} ${profile}`}
          onClick={open}
        >
          {t('open')}
        </button>
      </td>
    </tr>
  );
}

/** Counts the open files by what is to be done with them. */
function Files({ files }: { readonly files: readonly UploadView[] }) {
  const marks = files.map((file) => uploadState(file)[1]);
  const counted = (mark: (typeof marks)[number]): number => marks.filter((other) => other === mark).length;
  const [ready, doubts, errors] = [counted('good'), counted('doubt'), counted('bad')];
  const others = files.length - ready - doubts - errors;
  return (
    <p class="hint">
      {[
        ready > 0 && t('filesReady', { count: ready }),
        doubts > 0 && t('filesInDoubt', { count: doubts }),
        errors > 0 && t('filesWithErrors', { count: errors }),
        others > 0 && t('openFiles', { count: others }),
      ]
        .filter(Boolean)
        .join(', ')}
    </p>
  );
}

function JobCell({ job }: { readonly job: MonthJob | undefined }) {
  if (job === undefined) return <span class="hint">{t('notApplicable')}</span>;
  const { text, mark } = jobState(job);
  const made = job.accepted + job.open + job.refused;
  return (
    <>
      <span class={`chip ${mark}`}>{text}</span>
      {made > 0 && <p class="hint">{t('sentOf', { done: count(job.accepted), total: count(made) })}</p>}
    </>
  );
}
