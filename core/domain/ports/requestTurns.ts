/** The turn of one request: its rows of settings are compared with the store once. */
export interface RequestTurn {
  /** Runs a step of the request, and all that it starts, within the turn. */
  run(step: () => void): void;
  /** Ends the turn: work that the request started and that goes on compares again before each use. */
  end(): void;
}

/** Of a store that several services change. */
export interface RequestTurns {
  /** Begins the turn of a request that has just arrived. */
  begin(): RequestTurn;
}
