import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import type { Loading } from "../../navigation/Load.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"

/** One kind of things that wait for an answer. */
export const Section = <A extends { readonly id: number }>({
  empty,
  list,
  lead,
  row,
  title
}: {
  readonly title: string
  readonly lead: string
  readonly empty: string
  readonly list: Loading<ReadonlyArray<A>>
  readonly row: (item: A) => ComponentChildren
}) => {
  const id = useId()
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="lead">{list.data?.length === 0 ? empty : lead}</p>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={2} />}
      {list.data !== undefined && list.data.length > 0 && (
        <ul class="rows" aria-labelledby={id}>
          {list.data.map((it) => (
            <li key={it.id}>{row(it)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
