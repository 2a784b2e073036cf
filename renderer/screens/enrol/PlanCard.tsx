import { useState } from 'react';
import { Button, FileButton } from '@mantine/core';
import { IconPlayerPlay, IconFileSpreadsheet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import { FOLDER_SKIPS } from '../../../core/contracts/dashboard/folders.ts';
import { type FaceListing, LISTING_TEXT_NAMES, ofTexts } from '../../../core/contracts/faceListing.ts';
import { SEVERAL_FACES, type SeveralFaces } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import { countPersons, type PersonFault } from '../../../core/uploader/photoPersons.ts';
import { Action } from '../../components/Page.tsx';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { useSession } from '../../api/session.ts';
import type { EnrolTarget } from '../../api/enrolment.ts';
import { useWords } from '../../i18n/words.tsx';
import { draftOf, listingOf, NEW_LISTING } from '../../components/listingDraft.ts';
import { ListingFields } from '../../components/ListingFields.tsx';
import { Select } from '../../components/Select.tsx';
import type { ChosenPersons, Plan } from './droppedFiles.ts';
import { type PersonSource, PERSON_SOURCES } from './run.ts';
import type { Unfinished } from './unfinished.ts';

const DUPLICATE: EnrolTarget = { kind: 'duplicate' };
/** An operator sees the faces of sheets before they are enrolled: in the failed photos. */
const OFFERED = SEVERAL_FACES.filter((rule) => rule !== 'each');

/** Skipped names that are listed under their reason; the rest is a number. */
const NAMES_SHOWN = 5;

/** The photos that will be sent, those that will not, and the destination; nothing has started yet. */
export function PlanCard(props: {
  plan: Plan;
  limits: UploadLimits;
  target: EnrolTarget;
  setTarget: (target: EnrolTarget) => void;
  /** The unfinished upload that this one continues: its rest goes where its beginning went, in the same way. */
  on: Unfinished | null;
  severalFaces: SeveralFaces;
  setSeveralFaces: (value: SeveralFaces) => void;
  persons: ChosenPersons;
  /** Null: the account may not name persons. */
  choosePersons: ((source: PersonSource, table?: File) => void) | null;
  /** @param listing severity, reason and expiry of all faces; undefined: they go into no blacklist */
  start: (listing: FaceListing | undefined) => void;
  discard: () => void;
}) {
  const { plan, limits, target, setTarget, on, severalFaces, setSeveralFaces, start, discard } = props;
  const { persons, choosePersons } = props;
  const { t, count, bytes } = useWords();
  const [draft, setDraft] = useState(
    on?.listing == null ? NEW_LISTING : draftOf({ ...on.listing, ...ofTexts(() => null) }),
  );
  const convertible = plan.files.filter(({ convertedFrom }) => convertedFrom !== undefined).length;
  const batches = Math.ceil(plan.files.length / limits.imagesPerUpload);
  return (
    <section className="card plan" aria-label={t('common.summary')}>
      <div className="plan-head">
        <div>
          <p className="plan-number">{count(plan.files.length)}</p>
          <p className="soft">
            {t('enrol.willBeSent', { count: batches, size: bytes(plan.bytes), batches: count(batches) })}
          </p>
        </div>
        <div>
          <p className="plan-number">{count(plan.skipped.length)}</p>
          <p className="soft">{t('enrol.willBeSkipped')}</p>
        </div>
      </div>
      <div className="plan-parts">
        <div className="column">
          <TargetChoice target={target} setTarget={on === null ? setTarget : null} />
          {target.kind === 'duplicate' ? null : (
            <div className="column" role="group" aria-label={t('listing.forAll')}>
              {on?.listing?.typed === true && LISTING_TEXT_NAMES.every((field) => draft[field] === '') ? (
                <p className="soft" role="status">
                  {t('enrol.reasonAgain')}
                </p>
              ) : null}
              <ListingFields draft={draft} change={setDraft} />
              <p className="soft">{t('listing.forAll')}</p>
            </div>
          )}
          <Select
            label={t('enrol.severalFaces')}
            description={severalFaces === 'main' ? t('enrol.severalFacesHelp') : undefined}
            disabled={on !== null}
            value={severalFaces}
            onChange={(value) => setSeveralFaces(value ?? 'refuse')}
            data={OFFERED.map((value) => ({ value, label: t(`enrol.severalFaces_${value}`) }))}
          />
          {choosePersons === null ? null : <PersonSelect chosen={persons} choose={choosePersons} />}
          <PersonSummary chosen={persons} photos={on?.total ?? plan.files.length} />
        </div>
        <div className="column">
          {convertible === 0 ? null : (
            <p className="soft">{t('enrol.converted', { count: convertible, photos: count(convertible) })}</p>
          )}
          <Skipped plan={plan} />
        </div>
      </div>
      <div className="row">
        <Action
          primary
          Icon={IconPlayerPlay}
          label={t('enrol.start')}
          disabled={plan.files.length === 0 || (persons.source === 'file' && persons.found === null)}
          onClick={() => start(target.kind === 'duplicate' ? undefined : listingOf(draft))}
        />
        <Action label={t('enrol.discard')} onClick={discard} />
      </div>
    </section>
  );
}

function TargetChoice(props: { target: EnrolTarget; setTarget: ((target: EnrolTarget) => void) | null }) {
  const { target, setTarget } = props;
  const { t, count } = useWords();
  const { company } = useSession();
  const { data } = useQuery({ ...blacklistsQuery, enabled: company.features.blacklists });
  const lists = (data?.items ?? []).filter(({ status }) => status === BLACKLIST_STATUS.Active);
  const choose = (value: string | null) => {
    const list = lists.find(({ id }) => String(id) === value);
    setTarget?.(list === undefined ? DUPLICATE : { kind: 'blacklist', id: list.id, name: list.name });
  };
  return (
    <Select
      label={t('enrol.target')}
      description={t(`enrol.targetHelp_${target.kind}`)}
      disabled={setTarget === null}
      value={target.kind === 'duplicate' ? 'duplicate' : String(target.id)}
      onChange={choose}
      data={[
        { value: 'duplicate', label: t('common.mainGallery') },
        ...(lists.length === 0
          ? []
          : [
              {
                group: t('nav.blacklists'),
                items: lists.map(({ id, name, enrolledFacesCount }) => ({
                  value: String(id),
                  label: `${name} (${count(enrolledFacesCount)})`,
                })),
              },
            ]),
      ]}
    />
  );
}

function Skipped({ plan }: { plan: Plan }) {
  const { t, count, list } = useWords();
  if (plan.skipped.length === 0) return null;
  return (
    <dl className="plan-skipped">
      {FOLDER_SKIPS.map((reason) => {
        const paths = plan.skipped.filter((each) => each.reason === reason).map(({ path }) => path);
        if (paths.length === 0) return null;
        const rest = paths.length - NAMES_SHOWN;
        return (
          <div key={reason}>
            <dt>
              {t(`enrol.skip_${reason}`)}: {count(paths.length)}
            </dt>
            <dd className="soft">
              {list(paths.slice(0, NAMES_SHOWN))}
              {rest > 0 ? (
                <details className="plan-rest">
                  <summary>{t('enrol.andMore', { more: count(rest) })}</summary>
                  <ul>
                    {paths.slice(NAMES_SHOWN).map((path) => (
                      <li key={path}>
                        <bdi>{path}</bdi>
                      </li>
                    ))}
                  </ul>
                </details>
              ) : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Rows that are listed; the rest is counted. */
const FAULTS_SHOWN = 100;

/** How the persons of the photos are named; the result is shown before any photo is sent. */
function PersonSelect({
  chosen,
  choose,
}: {
  chosen: ChosenPersons;
  choose: (source: PersonSource, table?: File) => void;
}) {
  const { t } = useWords();
  return (
    <div className="row plan-persons">
      <Select
        label={t('enrol.persons')}
        value={chosen.source}
        onChange={(source) => choose(source ?? 'none')}
        data={PERSON_SOURCES.map((value) => ({ value, label: t(`enrol.persons_${value}`) }))}
      />
      {chosen.source === 'file' ? (
        <FileButton accept=".csv,text/csv" onChange={(table) => table && choose('file', table)}>
          {(props) => (
            <Button variant="default" leftSection={<IconFileSpreadsheet size={16} aria-hidden />} {...props}>
              {t('enrol.chooseTable')}
            </Button>
          )}
        </FileButton>
      ) : null}
    </div>
  );
}

/** The persons that the choice names, with examples, and the rows without use. */
function PersonSummary({ chosen, photos }: { chosen: ChosenPersons; photos: number }) {
  const { t, count, list } = useWords();
  const { source, found, unusable } = chosen;
  if (source === 'none') return null;
  const counts = found === null ? null : countPersons(found);
  const examples = (counts?.examples ?? []).map(({ name, externalId, photos: number }) =>
    t('enrol.personExample', {
      name: name ?? externalId ?? '',
      photos: count(number),
    }),
  );
  return (
    <div className="plan-person-summary" role="status">
      <p className="soft">{t(`enrol.personsHelp_${source}`)}</p>
      {unusable === null ? null : <p className="error-line">{t(`enrol.table_${unusable}`)}</p>}
      {counts === null ? null : (
        <p>
          <strong>
            {t('enrol.personCounts', {
              persons: count(counts.persons),
              photos: count(counts.photos),
              without: count(photos - counts.photos),
            })}
          </strong>{' '}
          {examples.length === 0 ? null : <span className="soft">{list(examples)}</span>}
        </p>
      )}
      <PersonFaults faults={found?.faults ?? []} />
    </div>
  );
}

/** The rows of a table, or the folders, that cannot be used. */
export function PersonFaults({ faults }: { faults: readonly PersonFault[] }) {
  const { t, count } = useWords();
  if (faults.length === 0) return null;
  return (
    <details className="plan-rest">
      <summary>{t('enrol.personFaults', { faults: count(faults.length) })}</summary>
      <ul>
        {faults.slice(0, FAULTS_SHOWN).map(({ kind, row, file, earlier = 0 }) => (
          <li key={`${row ?? file}`}>
            {row === null ? t('facts.folder') : t('enrol.faultRow', { row: count(row) })} · <bdi>{file}</bdi>:{' '}
            {t(`enrol.fault_${kind}`, { row: count(earlier) })}
          </li>
        ))}
      </ul>
      {faults.length > FAULTS_SHOWN ? (
        <p>{t('enrol.andMore', { more: count(faults.length - FAULTS_SHOWN) })}</p>
      ) : null}
    </details>
  );
}
