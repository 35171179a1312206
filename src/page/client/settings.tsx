import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type {
  LawSettings,
  PageEvent,
  PageIssue,
  ProfileSettings,
  SettingsView,
  TableSettings,
  TaskName,
  TaskUpdate,
  TaskView,
} from '../api.js';
import { Activity, Drop, Figure, Issues, Messages, Table, Working } from './parts.js';
import { go } from './place.js';
import { call, eventsNamed, lastEvent, refusalOf, useAttempts, useLoaded, useTask } from './server.js';
import { count, day, environmentText, moment, t } from './words.js';

export const NEW_COMPANY = '+';

/** Shows the companies with their services, the tables of the ministry and those of the law. */
export function SettingsPage({ profile }: { readonly profile: string | undefined }) {
  const { value: settings, refused, reload } = useLoaded<SettingsView>('/settings');
  if (settings === undefined)
    return refused.length > 0 ? <Issues issues={refused} /> : <p role="status">{t('working')}</p>;
  const known = settings.profiles.find(({ name }) => name === profile);
  if (profile === NEW_COMPANY)
    return (
      <>
        <h1>{t('addCompany')}</h1>
        <ProfileForm profile={undefined} saved={reload} />
      </>
    );
  if (known !== undefined)
    return (
      <>
        <p>
          <a href="#/settings">← {t('settings')}</a>
        </p>
        <h1>{t('profileTitle', { name: known.companyName || known.name })}</h1>
        <ProfileForm profile={known} saved={reload} />
        <Software profile={known.name} />
        <Resolution profile={known.name} />
        <CurrentSetup profile={known.name} />
        <Access profile={known} identities={settings.identities} saved={reload} />
      </>
    );
  return (
    <>
      <h1>{t('settings')}</h1>
      <Issues issues={settings.issues} />
      <h2>{t('companies')}</h2>
      {settings.profiles.length === 0 ? (
        <p class="hint">{t('noCompanies')}</p>
      ) : (
        <Table head={[t('company'), 'NIT', t('environment'), t('service')]}>
          {settings.profiles.map(({ name, companyName, company, environment, url, hasToken }) => (
            <tr key={name}>
              <td>
                <a
                  href={`#/settings/${encodeURIComponent(name)}`}
                  aria-label={t('changeNamed', { name: companyName || name })}
                >
                  {companyName || name}
                </a>
                {!hasToken && <span class="badge">{t('tokenAbsent')}</span>}
              </td>
              <td>{company}</td>
              <td>{environmentText(environment)}</td>
              <td>{url}</td>
            </tr>
          ))}
        </Table>
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={() => go('settings', NEW_COMPANY)}>
          {t('addCompany')}
        </button>
      </div>
      <Tables tables={settings.tables} reload={reload} />
      <Law law={settings.law} sources={settings.lawSources} reload={reload} />
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly text: string;
  readonly value?: string | number;
  readonly hint?: string;
  readonly required?: boolean;
  readonly kind?: 'text' | 'url' | 'password' | 'number';
  readonly choices?: readonly (readonly [value: string, text: string])[];
}

/** Draws an uncontrolled form field: its value is read on submit and stored nowhere else. */
function Field({ name, text, value = '', hint, required = false, kind = 'text', choices }: FieldProps) {
  const id = useId();
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{text}</label>
      {choices === undefined ? (
        <input
          {...({ type: kind } as { type: 'text' })}
          id={id}
          name={name}
          defaultValue={String(value)}
          required={required}
          autocomplete={kind === 'password' ? 'new-password' : 'off'}
          {...described}
        />
      ) : (
        <select id={id} name={name} defaultValue={String(value)} required={required} {...described}>
          {choices.map(([choice, title]) => (
            <option key={choice} value={choice} selected={choice === String(value)}>
              {title}
            </option>
          ))}
        </select>
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

type FormValues = Readonly<Record<string, string>>;

interface FormProps {
  readonly title?: string;
  readonly about?: string;
  readonly submit: string;
  /** Receives the values of the form; passwords are cleared first. */
  onValues(values: FormValues): Promise<void>;
  readonly children: ComponentChildren;
  /** Result of the submission. */
  readonly after?: ComponentChildren;
}

function Form({ title, about, submit, onValues, children, after }: FormProps) {
  const { refused, attempt } = useAttempts();
  return (
    <section class="card">
      {title !== undefined && <h2>{title}</h2>}
      {about !== undefined && <p class="hint">{about}</p>}
      <form
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const values = Object.fromEntries(
            [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
          );
          for (const field of form.querySelectorAll<HTMLInputElement>('input[type=password]'))
            field.value = '';
          void attempt(() => onValues(values));
        }}
      >
        <div class="form">{children}</div>
        <Issues issues={refused} />
        <div class="buttons">
          <button type="submit" class="primary">
            {submit}
          </button>
        </div>
      </form>
      {after}
    </section>
  );
}

/** Starts a use case of the settings from a form and follows it. */
function useSetting(name: TaskName, ended?: (task: TaskView) => void) {
  const [started, setStarted] = useState<TaskView>();
  const { task = started, events } = useTask(started?.id, async () => setStarted(undefined));
  const isOver = task?.state === 'ended';
  useEffect(() => {
    if (isOver) ended?.(task);
  }, [isOver, task?.id]);
  const begin = async (
    options: Readonly<Record<string, unknown>>,
    more: { readonly args?: readonly string[]; readonly secrets?: FormValues } = {},
  ): Promise<void> => setStarted(await call<TaskView>('POST', `/tasks/${name}`, { options, ...more }));
  return { begin, follow: setStarted, events, after: <TaskMessages task={task} events={events} /> };
}

interface PlanEvent extends PageEvent {
  readonly lines: readonly {
    readonly name: string;
    readonly value: string;
    readonly before?: string;
  }[];
}

/** Shows the plan, messages and question of a task. */
function TaskMessages({
  task,
  events,
}: {
  readonly task: TaskView | undefined;
  readonly events: readonly PageEvent[];
}) {
  if (task === undefined) return null;
  const messages = events.filter(({ event }) => ['message', 'remark', 'stopped', 'issue'].includes(event));
  const plan = lastEvent<PlanEvent>(events, 'setup-plan');
  return (
    <>
      {plan !== undefined && (
        <dl class="accounts">
          {plan.lines.map(({ name, value, before }) => (
            <Figure key={name} name={name}>
              {value}
              {before !== undefined && ` (${before})`}
            </Figure>
          ))}
        </dl>
      )}
      {messages.length > 0 && <Messages events={messages} />}
      <Activity task={task} />
      <Issues issues={task.failure} />
    </>
  );
}

const pickFilled = (values: FormValues, names: readonly string[]): FormValues =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));

const environmentChoices = (): readonly (readonly [string, string])[] => [
  ['test', t('testEnvironment')],
  ['production', t('productionEnvironment')],
];

interface ProfileFormProps {
  readonly profile: ProfileSettings | undefined;
  saved(): Promise<void>;
}

function ProfileForm({ profile, saved }: ProfileFormProps) {
  const [name, setName] = useState(profile?.name ?? '');
  const { begin, after } = useSetting(profile === undefined ? 'profileAdd' : 'profileChange', (task) => {
    if (task.outcome === 'fine')
      void saved().then(() => {
        if (profile === undefined) go('settings', name);
      });
  });
  return (
    <Form
      submit={t('save')}
      after={after}
      onValues={async ({ name: typed = profile?.name ?? '', token = '', ...given }) => {
        setName(typed);
        const options =
          profile === undefined
            ? pickFilled(given, ['url', 'environment', 'company', 'companyName', 'testSet'])
            : given;
        const secrets = { [profile === undefined ? 'askProfileToken' : 'askNewToken']: token };
        await begin(options, { args: [typed], secrets });
      }}
    >
      {profile === undefined && (
        <Field name="name" text={t('profileName')} hint={t('profileNameHint')} required />
      )}
      <Field name="companyName" text={t('companyName')} value={profile?.companyName ?? ''} />
      <Field name="company" text={t('nit')} value={profile?.company ?? ''} required />
      <Field
        name="url"
        text={t('serviceUrl')}
        value={profile?.url ?? ''}
        hint="https://…"
        kind="url"
        required
      />
      <Field
        name="environment"
        text={t('environment')}
        value={profile?.environment ?? 'test'}
        choices={environmentChoices()}
      />
      <Field name="testSet" text={t('testSet')} value={profile?.testSet ?? ''} />
      {profile !== undefined && (
        <>
          <Field name="inbox" text={t('inbox')} value={profile.inbox} hint={t('inboxHint')} />
          <Field
            name="inboxSend"
            text={t('inboxReceipts')}
            value={profile.sendsReceipts ? '030' : 'none'}
            choices={[
              ['none', t('proposeReceipts')],
              ['030', t('sendReceipts')],
            ]}
          />
        </>
      )}
      <Field
        name="token"
        text={t('token')}
        hint={t(profile?.hasToken ? 'tokenKept' : 'tokenHint')}
        kind="password"
      />
    </Form>
  );
}

function Software({ profile }: { readonly profile: string }) {
  const { begin, after } = useSetting('setupSoftware');
  return (
    <Form
      title={t('software')}
      about={t('softwareAbout')}
      submit={t('setUp')}
      after={after}
      onValues={({ pin, ...given }) =>
        begin(
          { ...pickFilled(given, ['softwareId', 'payrollAddress', 'invoiceAddress']), profile },
          pin ? { secrets: { askPin: pin, askPinAgain: pin } } : {},
        )
      }
    >
      <Field name="softwareId" text={t('softwareId')} />
      <Field name="payrollAddress" text={t('payrollTo')} choices={[['', ''], ...environmentChoices()]} />
      <Field
        name="invoiceAddress"
        text={t('invoicingTo')}
        choices={[['', ''], ...environmentChoices(), ['same', t('sameAddress')]]}
      />
      <Field name="pin" text={t('pin')} kind="password" />
    </Form>
  );
}

function Resolution({ profile }: { readonly profile: string }) {
  const { begin, after } = useSetting('setupResolution');
  return (
    <Form
      title={t('resolution')}
      about={t('resolutionAbout')}
      submit={t('setUp')}
      after={after}
      onValues={({ firstNumber, lastNumber, ...given }) =>
        begin({
          ...pickFilled(given, ['documentType', 'prefix']),
          ...(firstNumber && { firstNumber: Number(firstNumber) }),
          ...(lastNumber && { lastNumber: Number(lastNumber) }),
          profile,
        })
      }
    >
      <Field
        name="documentType"
        text={t('documentType')}
        value="payroll"
        choices={[
          ['payroll', t('payrolls')],
          ['adjust', t('adjustNotes')],
        ]}
      />
      <Field name="prefix" text={t('prefix')} />
      <Field name="firstNumber" text={t('firstNumber')} kind="number" />
      <Field name="lastNumber" text={t('lastNumber')} kind="number" />
    </Form>
  );
}

function CurrentSetup({ profile }: { readonly profile: string }) {
  const { begin, after } = useSetting('setup');
  return (
    <Form title={t('standing')} submit={t('askService')} after={after} onValues={() => begin({ profile })}>
      {null}
    </Form>
  );
}

interface AccessProps {
  readonly profile: ProfileSettings;
  readonly identities: SettingsView['identities'];
  saved(): Promise<void>;
}

function Access({ profile: { name, access }, identities, saved }: AccessProps) {
  const [isSaved, setSaved] = useState(false);
  return (
    <Form
      title={t('sispro')}
      about={t('sisproAbout')}
      submit={t('save')}
      after={
        isSaved && (
          <p class="notice good" role="status">
            {t('saved')}
          </p>
        )
      }
      onValues={async ({ type_document_identification_id: type, password, ...given }) => {
        setSaved(false);
        await call('PUT', `/settings/profiles/${encodeURIComponent(name)}/access`, {
          ...given,
          type_document_identification_id: Number(type),
          ...(password && { password }),
        });
        setSaved(true);
        await saved();
      }}
    >
      <Field
        name="type_document_identification_id"
        text={t('identityType')}
        value={access?.['type_document_identification_id'] ?? ''}
        choices={[['', ''], ...identities.map(({ id, name: title }) => [String(id), title] as const)]}
        required
      />
      <Field
        name="number_identification"
        text={t('identityNumber')}
        value={access?.['number_identification'] ?? ''}
        required
      />
      <Field name="url" text={t('sisproUrl')} value={access?.['url'] ?? ''} kind="url" required />
      <Field
        name="password"
        text={t('password')}
        kind="password"
        required={access === null}
        {...(access !== null && { hint: t('passwordKept') })}
      />
    </Form>
  );
}

const foldName = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

interface TablesProps {
  readonly tables: readonly TableSettings[];
  reload(): Promise<void>;
}

function Tables({ tables, reload }: TablesProps) {
  const [chosen, setChosen] = useState('');
  const [issues, setIssues] = useState<readonly PageIssue[]>([]);
  const [messages, setMessages] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  /** Returns the chosen table, or the one with the longest name contained in the file's name. */
  const tableOf = (file: string): TableSettings | undefined =>
    tables.find(({ name }) => name === chosen) ??
    tables
      .flatMap((table) => [table.published, table.name].map((name) => ({ table, name: foldName(name) })))
      .filter(({ name }) => foldName(file).includes(name))
      .sort((a, b) => b.name.length - a.name.length)[0]?.table;
  const load = async (files: readonly File[]): Promise<void> => {
    setBusy(true);
    setIssues([]);
    const lines: string[] = [];
    for (const file of files) {
      const table = tableOf(file.name);
      if (table === undefined) {
        lines.push(t('unknownTable', { name: file.name }));
        continue;
      }
      try {
        const path = `/settings/tables/${table.name}?name=${encodeURIComponent(file.name)}`;
        const { task, events } = await call<TaskUpdate>('PUT', path, file);
        const stored = lastEvent(events, 'catalogue');
        if (stored !== undefined)
          lines.push(t('tableLoaded', { title: table.title, count: count(Number(stored['rows'])) }));
        const remarks = eventsNamed<PageIssue>(events, 'issue');
        lines.push(...remarks.map(({ message, fix }) => `${message} ${fix}`));
        setIssues((before) => [...before, ...task.failure]);
      } catch (error) {
        setIssues(refusalOf(error));
      }
    }
    setMessages(lines);
    setBusy(false);
    await reload();
  };
  return (
    <section>
      <h2>{t('tables')}</h2>
      <p class="hint">{t('tablesAbout')}</p>
      <label class="field">
        {t('whichTable')}
        <select value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          <option value="">{t('byName')}</option>
          {tables.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Drop text={t('drop')} onFiles={(files) => void load(files)} />
      {busy && <Working task={undefined} />}
      <Issues issues={issues} />
      {messages.length > 0 && (
        <ul class="sayings" role="status">
          {messages.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <Table head={[t('tableName'), 'SISPRO', [t('codes'), 'number'], t('origin')]}>
        {tables.map((table) => (
          <tr key={table.name}>
            <td>{table.title}</td>
            <td>{table.published}</td>
            <td class="number">{count(table.rows)}</td>
            <td>{originText(table)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

interface LawProps {
  readonly law: readonly LawSettings[];
  readonly sources: readonly string[];
  reload(): Promise<void>;
}

/** Imports and removes tables of the law; a doubtful import asks first. */
function Law({ law, sources, reload }: LawProps) {
  const { refused, attempt } = useAttempts();
  const ended = (): void => void reload();
  const taking = useSetting('lawImport', ended);
  const removing = useSetting('lawRemove', ended);
  const take = async (file: File): Promise<void> =>
    taking.follow(await call<TaskView>('PUT', `/settings/law?name=${encodeURIComponent(file.name)}`, file));
  const titleOf = (name: unknown): string => law.find((table) => table.name === name)?.title ?? String(name);
  return (
    <section aria-labelledby="law">
      <h2 id="law">{t('law')}</h2>
      <p class="hint">{t('lawAbout')}</p>
      <Drop
        text={t('lawDrop')}
        kinds={t('lawKinds')}
        onFiles={([file]) => file && void attempt(() => take(file))}
      />
      <Issues issues={refused} />
      <div role="status">
        {eventsNamed(taking.events, 'catalogue').map(({ name, rows, isNew }) => (
          <p key={String(name)}>
            {t(isNew ? 'lawTaken' : 'lawSame', { title: titleOf(name), count: count(Number(rows)) })}
          </p>
        ))}
      </div>
      {taking.after}
      {removing.after}
      <Table label={t('lawTables')} head={[t('tableName'), t('lawDays'), t('origin'), 'SHA-256']}>
        {law.map(({ name, title, first, last, made, hash }) => (
          <tr key={name}>
            <td>{title}</td>
            <td>{daysText(first, last)}</td>
            <td>{made}</td>
            <td class="code">{hash}</td>
          </tr>
        ))}
      </Table>
      <div class="buttons">
        {sources.map((name) => (
          <button key={name} type="button" onClick={() => void removing.begin({}, { args: [name] })}>
            {t('lawRemove', { name })}
          </button>
        ))}
      </div>
    </section>
  );
}

function daysText(first: string, last: string): string {
  if (first === '' && last === '') return t('lawAlways');
  return [first && t('lawFrom', { day: day(first) }), last && t('lawTo', { day: day(last) })]
    .filter(Boolean)
    .join(' ');
}

function originText({ origin, source = '', at = '' }: TableSettings): string {
  if (origin === 'file' || origin === 'service') return t('originPublished', { source, at: moment(at) });
  if (origin === 'absent') return t('originNone');
  return t(origin === 'sample' ? 'originSome' : 'originProgram');
}
