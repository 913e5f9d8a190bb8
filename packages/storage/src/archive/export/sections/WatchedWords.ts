import { AutomaticTagPolicy } from "@kinora/domain/enums/AutomaticTag"
import { plainSection, type SectionPage } from "./ExportSection.ts"

interface ListRow {
  readonly cursor: number
  readonly listName: string
  readonly words: ReadonlyArray<string>
  readonly createdAt: string
  readonly updatedAt: string
}

/** Lists the user wrote (contract: WatchedWordsListsJSON). Those of subscriptions are their publishers'. */
export const watchedWords: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<ListRow>`
    select id as cursor, name::text as "listName", words, wire_time(created_at) as "createdAt",
      wire_time(updated_at) as "updatedAt"
    from watched_words_list
    where account_id = ${task.accountId} and subscription_id is null and id > ${after} order by id limit ${limit}`)

/** Tags for which the user reviews comments (contract: AutoTagPoliciesJSON). */
export const reviewedTags: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<{ cursor: number; name: string }>`
    select * from (
      select row_number() over (order by lower(name::text)) as cursor, name::text as name from automatic_tag_policy
      where account_id = ${task.accountId} and policy = ${AutomaticTagPolicy.reviewComment}
    ) p where cursor > ${after} order by cursor limit ${limit}`)
