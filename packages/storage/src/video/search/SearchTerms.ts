import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SearchPart, searchParts } from "./SearchText.ts"
import { corrections, type KnownWord, mistakesIn } from "./Spelling.ts"

/** The terms of a search, as texts of PostgreSQL's tsquery. */
export interface SearchTerms {
  /** Required in a document. */
  readonly match: string
  /** The same, with every word in the name or tags. */
  readonly titled: string
  /** Whether there are videos whose authors opted out of full-text search. */
  readonly hasUnwilling?: boolean
  /** Used for ranking, if different from `match`. */
  readonly weighed?: string | undefined
  /**
   * For phrases: the same terms without regard to word order. This can be checked without reading documents, and every
   * exact match also matches it.
   */
  readonly coarse?: { readonly match: string; readonly titled: string } | undefined
}

/** Tables of searchable documents. */
export type Documents = "video_document" | "channel_document" | "playlist_document"

interface Term extends SearchPart {
  readonly words: ReadonlyArray<string>
  /** The words are pairs of characters: all are required, in any order. */
  readonly pairs: boolean
  readonly stems: ReadonlyArray<string>
  /** A stop word, such as "the". */
  readonly filler: boolean
  readonly uses: number
  /** Also matched as a prefix: the last word, which may be incomplete. */
  readonly open: boolean
  readonly corrected: ReadonlyArray<string>
}

type Row = Pick<Term, "words" | "pairs" | "stems" | "filler" | "uses"> & {
  readonly item: number
  readonly marked: boolean
}

/** Whether any document matches `query`. */
const known: Readonly<Record<Documents, string>> = {
  video_document: "search_known('video', query::tsquery)",
  channel_document: "search_known('channel', query::tsquery)",
  playlist_document: "search_known('playlist', query::tsquery)"
}

/** A word with this many uses is not expanded to similar words. */
const common = 2000
/** Letters count as a prefix from the first one on. Short numbers are matched exactly. */
const isBeginning = (word: string): boolean => word.length >= 3 || /^\p{L}+$/u.test(word)
/** Words per search that are checked for misspelling. */
const maxCorrected = 4

const lexeme = (word: string, mark: "" | "=" = ""): string => `'${mark}${word.replaceAll(/['\\]/g, "$&$&")}'`

const any = (alternatives: ReadonlyArray<string>): string =>
  alternatives.length === 1 ? alternatives[0]! : `(${alternatives.join(" | ")})`

const row = ({ pairs, words }: Term): string =>
  words.length === 1 ? lexeme(words[0]!) : `(${words.map((word) => lexeme(word)).join(pairs ? " & " : " <-> ")})`

const alternatives = (term: Term, mark: "" | "="): string => {
  const [word] = term.words
  return any([
    lexeme(word!, mark) + (term.open ? ":*" : ""),
    ...[...term.stems, ...term.corrected].map((other) => lexeme(other, mark))
  ])
}

const isWord = (term: Term): boolean => term.words.length === 1 && !term.phrase

const anywhere = (term: Term): string => (isWord(term) ? alternatives(term, "") : row(term))

const inTitle = (term: Term): string =>
  isWord(term) ? alternatives(term, "=") : term.words.map((word) => lexeme(word, "=")).join(" & ")

/** Marks documents whose authors opted out of full-text search (FEP-5feb). */
const mark = "'^'"
/** If there are none, the exclusion is skipped: excluding a word costs as much as searching for one. */
const anyUnwilling = `(select search_known('video', '''^'''::tsquery))`

/** The same terms, without documents that opted out. */
export const consenting = (terms: SearchTerms): SearchTerms => {
  if (terms.hasUnwilling !== true) return terms
  const { coarse, ...exact } = terms
  const willing = ({ match, titled }: { readonly match: string; readonly titled: string }) => ({
    match: `(${match}) & !${mark}`,
    titled: `(${titled}) & !${mark}`
  })
  return {
    ...exact,
    ...willing(exact),
    weighed: exact.match,
    ...(coarse === undefined ? {} : { coarse: willing(coarse) })
  }
}

const composed = (terms: ReadonlyArray<Term>, hasUnwilling: boolean): SearchTerms | undefined => {
  const wanted = terms.filter((term) => !term.excluded)
  if (wanted.length === 0) return undefined
  const excluded = terms.filter((term) => term.excluded)
  const telling = wanted.filter((term) => !term.filler || term.phrase)
  const isRow = (term: Term) => !isWord(term) && !term.pairs
  const found = (without: ReadonlyArray<Term>, anyhow: (term: Term) => string, rows: ReadonlyArray<Term>) => {
    const not = without.map((term) => `!${row(term)}`)
    const titled = [...(telling.length === 0 ? wanted : telling).map(inTitle), ...rows.map(row), ...not].join(" & ")
    // Words like "the" are everywhere: alone, they are searched in names and tags only.
    return { match: telling.length === 0 ? titled : [...telling.map(anyhow), ...not].join(" & "), titled }
  }
  const exact = found(excluded, anywhere, wanted.filter(isRow))
  if (!exact.match.includes("<->")) return { ...exact, hasUnwilling }
  const inNoOrder = (term: Term): string =>
    isWord(term) ? anywhere(term) : `(${term.words.map((word) => lexeme(word)).join(" & ")})`
  return {
    ...exact,
    hasUnwilling,
    coarse: found(
      excluded.filter((term) => !isRow(term) || term.words.length === 1),
      inNoOrder,
      []
    )
  }
}

/**
 * Parses a search: its words without accents, stemmed in the languages of the instance, the last one as a prefix, with
 * corrections of misspelt ones. Undefined if nothing is left to search for.
 */
export const searchTerms = Effect.fn("SearchTerms.read")(function* (
  sql: SqlClient,
  documents: Documents,
  text: string
) {
  const parts = searchParts(text)
  if (parts.length === 0) return undefined
  const rows = yield* sql<Row>`
    select item, words, pairs, stems, filler, uses, ${sql.literal(documents === "video_document" ? anyUnwilling : "false")} as marked
    from search_terms(${parts.map((part) => part.text)}::text[]) order by item`
  const unwilling = rows[0]?.marked ?? false
  const terms: ReadonlyArray<Term> = rows
    .map(({ item, marked: _, ...found }): Term => {
      const isLast = item === parts.length
      const open =
        isLast &&
        found.words.length === 1 &&
        isBeginning(found.words[0]!) &&
        found.uses < common &&
        !parts[item - 1]!.phrase &&
        !parts[item - 1]!.excluded
      return { ...parts[item - 1]!, ...found, open, corrected: [] }
    })
    .filter((term) => term.words.length > 0)

  const doubtful = terms
    .filter(
      (term) =>
        isWord(term) &&
        !term.excluded &&
        term.uses === 0 &&
        mistakesIn(term.words[0]!.length) > 0 &&
        !/\d/.test(term.words[0]!)
    )
    .slice(0, maxCorrected)
  if (doubtful.length === 0) return composed(terms, unwilling)

  const checked = yield* sql<{ readonly item: number; readonly known: boolean }>`
    select item::int, ${sql.literal(known[documents])} as known
    from unnest(${doubtful.map((term) => alternatives(term, ""))}::text[]) with ordinality q (query, item)
    order by item`
  const unknown = doubtful.filter((_, index) => checked[index]?.known === false)
  if (unknown.length === 0) return composed(terms, unwilling)

  const alike = yield* sql<{ readonly item: number; readonly found: ReadonlyArray<KnownWord> }>`
    select w.item::int, (select coalesce(json_agg(a), '[]') from search_alike(w.word) a) as found
    from unnest(${unknown.map((term) => term.words[0]!)}::text[]) with ordinality w (word, item)`
  const corrected = new Map(
    alike.map(({ found, item }) => {
      const term = unknown[item - 1]!
      return [term, corrections(term.words[0]!, found)]
    })
  )
  const better = terms.map((term) => ({ ...term, corrected: corrected.get(term) ?? [] }))
  return composed(better, unwilling)
})
