import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SearchPart, searchParts } from "./SearchText.ts"
import { corrections, type KnownWord, mistakesIn } from "./Spelling.ts"

/** What a search looks for, as PostgreSQL's tsquery texts. */
export interface SearchTerms {
  /** What a document has to have. */
  readonly match: string
  /** The same, with every word in the name or among the tags. */
  readonly titled: string
  /** Whether there are videos that do not want to be found by their words. */
  readonly hasUnwilling?: boolean
  /** What documents are weighed by, where that is not what they have to have. */
  readonly weighed?: string | undefined
  /**
   * Where words have to stand in a row: the same wherever the words of a row stand. That can be told without reading
   * documents, and is true of all that the others are true of.
   */
  readonly coarse?: { readonly match: string; readonly titled: string } | undefined
}

/** Tables of documents with their words. */
export type Documents = "video_document" | "channel_document" | "playlist_document"

interface Term extends SearchPart {
  readonly words: ReadonlyArray<string>
  /** The words are pairs of signs: all of them, in any order. */
  readonly pairs: boolean
  readonly stems: ReadonlyArray<string>
  /** A word that says nothing, such as "the". */
  readonly filler: boolean
  readonly uses: number
  /** Found by its beginning too: the last word, which may not be complete. */
  readonly open: boolean
  readonly corrected: ReadonlyArray<string>
}

type Row = Pick<Term, "words" | "pairs" | "stems" | "filler" | "uses"> & {
  readonly item: number
  readonly marked: boolean
}

/** Whether any document has what `query` asks for. */
const known: Readonly<Record<Documents, string>> = {
  video_document: "search_known(true, query::tsquery)",
  channel_document: "search_known(false, query::tsquery)",
  playlist_document: "search_known_playlist(query::tsquery)"
}

/** Uses from which a word is common enough to stand for itself alone: more words like it would help nobody. */
const common = 2000
/** Words are beginnings from their first letter on; short numbers stand for themselves. */
const isBeginning = (word: string): boolean => word.length >= 3 || /^\p{L}+$/u.test(word)
/** Words of one search that are looked up among those that look like them. */
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

/** Marks what does not want to be found by its words (FEP-5feb). */
const mark = "'^'"
/** Where there are none, nobody pays for them: excluding a word costs as much again as one that is looked for. */
const anyUnwilling = `(select search_known(true, '''^'''::tsquery))`

/** The same, of what wants to be found. */
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
    // Words like "the" are everywhere: alone, they are looked for in names and tags.
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
 * Reads a search: its words without accents, in their stems in the languages of the instance, the last one by its
 * beginning, and what misspelt ones may mean. Undefined when there is nothing to look for.
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
