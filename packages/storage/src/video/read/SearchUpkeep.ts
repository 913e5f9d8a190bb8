import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Writes what searches look into and what triggers have left to be written: documents of renamed owners, up to so many, and uses
 * of words (sql/video/functions/search-upkeep.sql). Answers how many documents.
 */
export const refreshSearch = (sql: SqlClient) => {
  const writeDocuments = Effect.fnUntraced(function* (atMost: number) {
    const [row] = yield* sql<{ stale: number }>`
      with stale as materialized (
        select id from video_document where stale limit ${atMost} for update skip locked
      ), written as (
        update video_document d set document = n.document, stale = false
        from video_documents(array(select id from stale)) n where d.id = n.id
      )
      select count(*)::integer as stale from stale`
    return row!.stale
  })

  const countWords = Effect.fnUntraced(function* (atMost: number) {
    const [row] = yield* sql<{ taken: number }>`
      with gone as (
        delete from search_word_change where ctid = any(array(
          select ctid from search_word_change limit ${atMost} for update skip locked
        ))
        returning words, change
      ), counted as (
        insert into search_word as w (word, uses)
        select word, sum(change) from gone, unnest(words) word group by word order by word
        on conflict (word) do update set uses = w.uses + excluded.uses
      )
      select count(*)::integer as taken from gone`
    // A word whose end was taken in before its beginning waits below nothing for that.
    if (row!.taken > 0) yield* sql`delete from search_word where uses = 0`
  })

  return Effect.fnUntraced(function* (atMost: number) {
    const written = yield* writeDocuments(atMost)
    yield* countWords(atMost)
    return written
  })
}
