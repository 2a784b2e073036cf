import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Action, Loaded, EmptyState, Page, WideTable } from '../../components/Page.tsx';
import { searchHistoryQuery } from '../../api/validations.ts';
import { Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import './search.css';

/** Earlier searches with their results, without the photos, which are stored nowhere. */
export function Component() {
  const { t, count } = useWords();
  const history = useQuery(searchHistoryQuery);
  const items = history.data?.items;
  const number = (value: number | null) => (value === null ? '–' : count(value));
  return (
    <Page
      title={t('search.history')}
      state={items === undefined ? '' : t('search.historyState', { searches: count(items.length) })}
      action={<Action label={t('search.another')} to="/search" />}
    >
      <div className="page-scroll">
        <Loaded query={history}>
          {({ items: searches }) =>
            searches.length === 0 ? (
              <EmptyState
                Icon={IconHistory}
                title={t('search.historyEmpty')}
                help={t('search.historyEmptyHelp')}
              />
            ) : (
              <WideTable
                label={t('search.history')}
                className="search-history"
                head={[
                  t('facts.time'),
                  t('common.operator'),
                  t('validations.column_match'),
                  t('search.faces'),
                  t('search.historyLists'),
                  t('search.historyCompared'),
                  t('common.falseMatchRate'),
                ]}
              >
                {searches.map((each) => (
                  <tr key={each.sequence}>
                    <td>
                      <Time at={each.at} />
                    </td>
                    <td>
                      <bdi>
                        {each.operator === 'local-admin' ? t('audit.actor_local-admin') : each.operator}
                      </bdi>
                    </td>
                    <td>{each.band === null ? '–' : t(`score.${each.band}`)}</td>
                    <td>{number(each.found)}</td>
                    <td>{count(each.watchlists)}</td>
                    <td>{count(each.compared)}</td>
                    <td>
                      {each.oneIn === null
                        ? '–'
                        : t(each.per === 'search' ? 'search.stepSearches' : 'search.historyOneIn', {
                            comparisons: count(each.oneIn),
                            searches: count(each.oneIn),
                          })}
                    </td>
                  </tr>
                ))}
              </WideTable>
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}
