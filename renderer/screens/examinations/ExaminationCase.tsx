import { useState } from 'react';
import { EXAMINED, type Examination } from '../../../core/contracts/dashboard/examinations.ts';
import { examinationReport, examinedPicture } from '../../api/comparisons.ts';
import { CrosshairField } from '../../compare/Crosshair.tsx';
import { toImage, toPane, type Layout, type Point, type Size } from '../../compare/geometry.ts';
import { Pane, ZoomTools } from '../../compare/Pane.tsx';
import { useCompare } from '../../compare/useCompare.ts';
import { AddToCaseFolder } from '../../components/AddToCaseFolder.tsx';
import { ReportButton } from '../../components/ExportButton.tsx';
import { PairCertainty, SimilarityScale } from '../../components/ScoreScale.tsx';
import { Fact } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { ReplaceExaminer } from './ReplaceExaminer.tsx';
import { Results } from './Results.tsx';
import { NO_MARKS, SettlementForm, StepForm, type Marks } from './StepForm.tsx';
import '../../compare/compare.css';
import '../review/review.css';
import './examinations.css';

/** The pictures, the next step of the operator, and what the operator may see of the results. */
export function ExaminationCase({ examination }: { examination: Examination }) {
  const { t, language } = useWords();
  const { id, kind, next, turn, state, system, works } = examination;
  const step = next === null ? '' : `${next.step} ${next.position}`;
  const [marked, setMarked] = useState({ step, marks: NO_MARKS });
  // The step can also be saved in another window: its marks are not those of the next one.
  const marks = marked.step === step ? marked.marks : NO_MARKS;
  const setMarks = (now: Marks) => setMarked({ step, marks: now });
  return (
    <div className="paired">
      <div className="case-main page-scroll">
        <Pictures examination={examination} marks={marks} mark={setMarks} />
        <Results examination={examination} />
      </div>
      <aside
        className="case-side paired-side column examination-side"
        aria-label={t('examinations.column_turn')}
      >
        {next !== null ? (
          <StepForm
            key={step}
            id={id}
            kind={kind}
            next={next}
            marks={marks}
            setMarks={setMarks}
            unbegun={works.length === 0}
          />
        ) : turn === 'settle' ? (
          <SettlementForm id={id} kind={kind} isThird={!works.some(({ own }) => own)} />
        ) : state === 'done' ? (
          <div className="row wrap">
            <AddToCaseFolder item={{ examination: id }} />
            <ReportButton
              fileName={`examination-${id}.pdf`}
              make={() => examinationReport(id, language === 'ar' ? 'ar' : 'en')}
            />
          </div>
        ) : (
          <p>{t(`examinations.waits_${state}`)}</p>
        )}
        {examination.isUnfinished ? <ReplaceExaminer id={id} /> : null}
        {system === null ? null : (
          <section className="column">
            <h2>{t('examinations.system')}</h2>
            <dl className="facts">
              {system.names.map((name, side) => (
                <Fact key={side} label={t(side === 0 ? 'examinations.first' : 'examinations.second')}>
                  <bdi>{name}</bdi>
                </Fact>
              ))}
            </dl>
            {kind === 'faces' ? (
              <PairCertainty of={system.score ?? NOT_COMPARED} />
            ) : (
              <SimilarityScale {...(system.score ?? NOT_COMPARED)} />
            )}
          </section>
        )}
      </aside>
    </div>
  );
}

const NOT_COMPARED = {
  similarity: null,
  verdict: 'INCONCLUSIVE',
  thresholds: { match: 0, possibleMatch: 0 },
  certainty: null,
} as const;

/** Both pictures with one zoom; during the analysis the one that is analysed. */
function Pictures(props: { examination: Examination; marks: Marks; mark: (marks: Marks) => void }) {
  const { examination, marks, mark } = props;
  const { t } = useWords();
  const { id, kind, next, pictures, works } = examination;
  const compare = useCompare(kind === 'faces' ? 'eyes' : 'whole');
  const alone = next?.step === 'analysis' ? next.position : null;
  const comparing = next?.step === 'comparison';
  return (
    <>
      <div className={alone === null ? 'compare-panes' : 'compare-panes examination-alone'}>
        {pictures.map(({ width, height, eyes }, side) => {
          if (alone !== null && alone !== side) return null;
          const label = t(side === 0 ? 'examinations.first' : 'examinations.second');
          const image = {
            key: String(side),
            url: examinedPicture(id, side),
            alt: label,
            width,
            height,
            eyes,
          };
          const saved = works.flatMap(({ findings }, examiner) =>
            findings.map(({ component, marks: points }) => ({
              label: String(EXAMINED[kind].components.indexOf(component) + 1),
              at: points[side] ?? null,
              isSecond: examiner === 1,
            })),
          );
          const now = comparing ? [{ label: '', at: marks[side] ?? null, isSecond: false }] : saved;
          const place = (at: Point) => mark(side === 0 ? [at, marks[1]] : [marks[0], at]);
          return (
            <Pane
              key={side}
              compare={compare}
              layers={[{ image, turn: 0, opacity: 1 }]}
              label={label}
              over={(pane, layout) => (
                <>
                  <MarkLayer marks={now} layout={layout} pane={pane} />
                  {comparing ? (
                    <CrosshairField
                      pane={pane}
                      label={t('examinations.markField', { picture: label })}
                      place={(at) => place(toImage(layout, at))}
                    />
                  ) : null}
                </>
              )}
            />
          );
        })}
      </div>
      <ZoomTools compare={compare} label={t('compare.tools')} />
      {works[0] === undefined || works[1] === undefined ? null : (
        <p className="soft">
          {t('examinations.marksOf', { first: works[0].byName, second: works[1].byName })}
        </p>
      )}
    </>
  );
}

function MarkLayer(props: {
  marks: readonly { label: string; at: Point | null; isSecond: boolean }[];
  layout: Layout;
  pane: Size;
}) {
  const { marks, layout, pane } = props;
  return (
    <svg className="measure-lines" width={pane.width} height={pane.height} aria-hidden>
      {marks.map(({ label, at, isSecond }, index) => {
        if (at === null) return null;
        const { x, y } = toPane(layout, at);
        return (
          <g key={index}>
            {isSecond ? (
              <rect className="measure-point" x={x - 5} y={y - 5} width={10} height={10} />
            ) : (
              <circle className="measure-point" cx={x} cy={y} r={5} />
            )}
            <text
              className="measure-number"
              x={isSecond ? x - 8 : x + 8}
              y={y - 8}
              textAnchor={isSecond ? 'end' : 'start'}
            >
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
