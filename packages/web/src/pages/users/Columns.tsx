import { UserRole } from "@kinora/domain/enums/UserRole"
import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { me } from "../../session/Me.ts"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Badge } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { PersonLink } from "../admin/People.tsx"
import { QuotaBar } from "./QuotaBar.tsx"
import type { User } from "./Users.ts"

const t = text("users")
const common = text("common")

const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>
    {day(at)}
  </time>
)

const Mail = ({ user }: { readonly user: User }) => (
  <span class="u-mail">
    {user.email}
    {user.emailVerified === false && <Badge kind="warn">{t("notVerified")}</Badge>}
  </span>
)

export interface UserActs {
  readonly onBan: (user: User) => void
  readonly onUnban: (user: User) => void
  readonly onDelete: (user: User) => void
}

/** Whether the person may change a user: moderators change users alone, and nobody bans themselves. */
export const mayChange = (user: User): boolean =>
  me.value?.role.id === UserRole.administrator || user.role.id === UserRole.user

const itemsOf = (user: User, { onBan, onDelete, onUnban }: UserActs): ReadonlyArray<MenuItem> => {
  const edit: MenuItem = { label: t("edit"), icon: "pencil", href: `/admin/users/${user.id}` }
  const reports: MenuItem = {
    label: t("showReports"),
    icon: "flag",
    href: `/admin/reports?search=${encodeURIComponent(user.username)}`
  }
  if (!mayChange(user)) return [reports]
  if (user.id === me.value?.id) return [edit, reports]
  return [
    edit,
    reports,
    user.blocked
      ? { label: t("unban"), icon: "check", onSelect: () => onUnban(user) }
      : { label: t("ban"), icon: "ban", onSelect: () => onBan(user) },
    { label: t("delete"), icon: "trash", danger: true, onSelect: () => onDelete(user) }
  ]
}

/** The columns of the list of users. */
export const columns = (acts: UserActs): ReadonlyArray<Column<User>> => [
  {
    key: "username",
    label: t("user"),
    sort: "username",
    wide: true,
    cell: (it) => (
      <div class="u-name">
        <PersonLink person={it.account} />
        {it.blocked && <Badge kind="bad">{t("isBanned")}</Badge>}
      </div>
    )
  },
  { key: "email", label: t("email"), cell: (it) => <Mail user={it} /> },
  {
    key: "role",
    label: t("role"),
    sort: "role",
    cell: (it) => (
      <Badge kind={it.role.id === UserRole.user ? "plain" : "good"}>{t("roleName", { role: it.role.id })}</Badge>
    )
  },
  {
    key: "quota",
    label: t("quota"),
    sort: "videoQuotaUsed",
    cell: (it) => (
      <QuotaBar label={t("quotaOf", { name: it.username })} quota={it.videoQuota} used={it.videoQuotaUsed ?? 0} />
    )
  },
  { key: "createdAt", label: t("since"), sort: "createdAt", cell: (it) => <Time at={it.createdAt} /> },
  {
    key: "lastLoginDate",
    label: t("lastLogin"),
    sort: "lastLoginDate",
    cell: (it) => (it.lastLoginDate === null ? t("never") : <Time at={it.lastLoginDate} />)
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Menu label={common("actions", { name: it.username })} icon="dots" kind="quiet" items={itemsOf(it, acts)} />
    )
  }
]
