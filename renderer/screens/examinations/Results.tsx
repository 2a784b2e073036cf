import { aspectsOf, EXAMINED, type Examination } from '../../../core/contracts/dashboard/examinations.ts';
import { WideTable } from '../../components/Page.tsx';
import { useWords } from '../../i18n/words.tsx';

/** The work of the examiners: the limits of the pictures, each feature, the conclusions. Differences are named. */
export function Results({
  examination: { kind, works, settlement, replaced },
}: {
  examination: Pick<Examination, 'kind' | 'works' | 'settlement' | 'replaced'>;
}) {
  const { t, time } = useWords();
  if (!works.some(({ analyses }) => analyses.length > 0)) return null;
  const examiners = works.map(({ byName }) => byName);
  const pictures = [t('examinations.first'), t('examinations.second')];
  const compared = EXAMINED[kind].components.filter((_, index) =>
    works.some(({ findings }) => index < findings.length),
  );
  const differ = (values: readonly (string | undefined)[]) =>
    values.length > 1 && new Set(values).size > 1 ? <strong> ({t('examinations.differs')})</strong> : null;
  return (
    <div className="column examination-results">
      {works.map(({ byName, evaluation }) =>
        evaluation === null ? null : (
          <Concluded key={byName} label={t('examinations.conclusion')} {...{ ...evaluation, byName, kind }} />
        ),
      )}
      {settlement === null ? null : (
        <Concluded
          label={t(settlement.isThird ? 'examinations.third' : 'examinations.common')}
          {...{ ...settlement, kind }}
        />
      )}
      {replaced.map(({ byName: name, replacedByName, at, steps }) => (
        <p key={at} className="soft">
          {t('examinations.replaced', { name, by: replacedByName, steps, time: time(at) })}
        </p>
      ))}
      <h2>{t('examinations.limits')}</h2>
      <WideTable
        label={t('examinations.limits')}
        head={[
          null,
          ...aspectsOf(kind).map((aspect) => t(`examinations.aspect_${aspect}`)),
          t(`examinations.age_${kind}`),
          t('examinations.supports'),
        ]}
      >
        {works.flatMap(({ byName, analyses }) =>
          analyses.map(({ limits, age, supports }, picture) => (
            <tr key={`${byName} ${picture}`}>
              <th scope="row">
                {pictures[picture]} · <bdi>{byName}</bdi>
              </th>
              {aspectsOf(kind).map((aspect) => (
                <td key={aspect}>{t(`examinations.limit_${limits[aspect] ?? 'unknown'}`)}</td>
              ))}
              <td dir="auto">{age === '' ? '–' : age}</td>
              <td dir="auto">{supports}</td>
            </tr>
          )),
        )}
      </WideTable>
      {compared.length === 0 ? null : (
        <>
          <h2>{t('examinations.results')}</h2>
          <WideTable label={t('examinations.results')} head={[t('examinations.component'), ...examiners]}>
            {compared.map((component, index) => (
              <tr key={component}>
                <th scope="row">
                  {index + 1}. {t(`examinations.component_${component}`)}
                  {differ(works.map(({ findings }) => findings[index]?.finding))}
                </th>
                {works.map(({ byName, findings: { [index]: found } }) => (
                  <td key={byName}>
                    {found === undefined ? '–' : t(`examinations.finding_${found.finding}`)}
                    {found === undefined || found.note === '' ? null : (
                      <p className="soft" dir="auto">
                        {found.note}
                      </p>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </WideTable>
        </>
      )}
    </div>
  );
}

function Concluded(props: {
  label: string;
  kind: Examination['kind'];
  conclusion: NonNullable<Examination['settlement']>['conclusion'];
  reasons: string;
  byName: string;
}) {
  const { label, kind, conclusion, reasons, byName } = props;
  const { t } = useWords();
  return (
    <section>
      <h2>
        {label} · <bdi>{byName}</bdi>
      </h2>
      <p>
        <strong>{t(`examinations.${kind}_${conclusion}`)}</strong>
      </p>
      <p dir="auto">{reasons}</p>
    </section>
  );
}
