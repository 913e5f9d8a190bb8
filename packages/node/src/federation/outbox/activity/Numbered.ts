/** The id of what can happen several times: others take a known id for a known activity. The fragment leaves its address. */
export const numbered = (uri: string, times: number): string => (times > 1 ? `${uri}#${times}` : uri)
