import { IconMicroscope } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { ExaminationRow } from '../../../core/contracts/dashboard/examinations.ts';
import { examinationQuery, examinationsQuery } from '../../api/comparisons.ts';
import { column, completeRows } from '../../components/list/columns.ts';
import { ListPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Action, EmptyState, Loaded, Page } from '../../components/Page.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { ExaminationCase } from './ExaminationCase.tsx';

const PLACE = '/examinations';

/** The examinations of the company, or the one that the address names. */
export function Component() {
  const { id } = useParams();
  return id === undefined ? <ExaminationList /> : <OneExamination key={id} id={Number(id)} />;
}

function ExaminationList() {
  const { t } = useWords();
  const navigate = useNavigate();
  const query = useQuery(examinationsQuery);
  return (
    <ListPage
      title={t('nav.examinations')}
      state={t('examinations.state')}
      action={<Action may="persons:read" label={t('practice.title')} to={`${PLACE}/practice`} />}
      list={completeRows(query)}
      none={
        <EmptyState Icon={IconMicroscope} title={t('examinations.none')} help={t('examinations.noneHelp')} />
      }
      columns={COLUMNS}
      rowKey={({ id }) => id}
      openKey={null}
      open={({ id }) => void navigate(`${PLACE}/${id}`)}
    />
  );
}

const COLUMNS: MakeColumns<ExaminationRow> = ({ t }) => [
  column('number', t('examinations.column_number'), 110, ({ id }) => t('examinations.number', { id })),
  column('began', t('examinations.column_began'), 170, ({ beganAt }) => <Time at={beganAt} />),
  column('kind', t('examinations.column_kind'), 120, ({ kind }) => t(`examinations.kind_${kind}`)),
  column('state', t('examinations.column_state'), { minWidth: 200, grow: 1 }, ({ state }) =>
    t(`examinations.state_${state}`),
  ),
  column('turn', t('examinations.column_turn'), { minWidth: 190, grow: 1 }, ({ turn }) =>
    turn === null ? '–' : t(`examinations.turn_${turn}`),
  ),
];

function OneExamination({ id }: { id: number }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const query = useQuery(examinationQuery(id));
  const state = query.data?.state;
  return (
    <Page
      title={t('examinations.number', { id })}
      state={state && t(`examinations.state_${state}`)}
      action={<Action label={t('examinations.back')} onClick={() => void navigate(PLACE)} />}
    >
      <Loaded query={query}>{(examination) => <ExaminationCase examination={examination} />}</Loaded>
    </Page>
  );
}
