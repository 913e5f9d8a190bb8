import { me } from "../../session/Me.ts"
import { Icon } from "../../ui/Icon.tsx"

/** What is shown of an account, of this instance or another. */
export interface Person {
  readonly name: string
  readonly host: string
  readonly displayName: string
  readonly avatars: ReadonlyArray<{ readonly path: string; readonly width: number }>
}

/** `ada` on this instance, `ada@elsewhere.example` on others: as the API takes it. */
export const handleOf = ({ host, name }: Pick<Person, "host" | "name">): string =>
  host === me.value?.account.host ? name : `${name}@${host}`

/** An account with its picture, linked to its page. */
export const PersonLink = ({ person }: { readonly person: Person }) => {
  const picture = person.avatars.find((it) => it.width >= 48) ?? person.avatars[0]
  return (
    <a class="person" href={`/a/${handleOf(person)}`}>
      <span class="person-picture">
        {picture === undefined ? <Icon name="user" size={18} /> : <img src={picture.path} alt="" loading="lazy" />}
      </span>
      <span class="person-names">
        <strong>{person.displayName}</strong>
        <span>@{handleOf(person)}</span>
      </span>
    </a>
  )
}
