import { Fragment } from 'react';
import { matchedPlaces } from '../../core/contracts/searchKey.ts';
import './parts.css';

/** A text as it was entered, with what the words of a search matched. */
export function Matched({ text, query }: { text: string; query: string }) {
  const places = matchedPlaces(text, query);
  return (
    <>
      {places.map(({ from, to }, index) => (
        <Fragment key={from}>
          {text.slice(places[index - 1]?.to ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)?.to ?? 0)}
    </>
  );
}
