import { constraints } from "@kinora/domain/enums/Constraints"
import { type LogoType, logoTypes } from "@kinora/domain/enums/LogoType"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Avatar, localAddress } from "../../ui/Avatar.tsx"
import { formWith, PictureField } from "../../ui/PictureField.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("appearance")

type Instance = Output<"GET /api/v1/config">["instance"]

interface Shown {
  readonly instance: Instance
  readonly onSaved: () => Promise<void>
}

const InstanceAvatar = ({ instance, onSaved }: Shown) => (
  <PictureField
    title={t("avatar")}
    help={t("avatarHelp")}
    choose={t("chooseAvatar")}
    remove={t("removeAvatar")}
    limits={constraints.actorImage}
    onSaved={onSaved}
    send={(file) => call("POST /api/v1/config/instance-avatar/pick", { body: formWith("avatarfile", file) })}
    onRemove={instance.avatars.length > 0 ? () => call("DELETE /api/v1/config/instance-avatar") : undefined}
  >
    <Avatar name={instance.name} pictures={instance.avatars} size={96} />
  </PictureField>
)

const Banner = ({ instance, onSaved }: Shown) => {
  const [banner] = [...instance.banners].sort((a, b) => b.width - a.width)
  return (
    <PictureField
      title={t("banner")}
      help={t("bannerHelp")}
      choose={t("chooseBanner")}
      remove={t("removeBanner")}
      limits={constraints.actorImage}
      onSaved={onSaved}
      send={(file) => call("POST /api/v1/config/instance-banner/pick", { body: formWith("bannerfile", file) })}
      onRemove={banner !== undefined ? () => call("DELETE /api/v1/config/instance-banner") : undefined}
    >
      {banner !== undefined && <img class="banner-shown" src={localAddress(banner.fileUrl)} alt={t("bannerOfNow")} />}
    </PictureField>
  )
}

/** Names of the kinds in the messages, whose syntax has no hyphens. */
const kinds = {
  favicon: "favicon",
  "header-wide": "wide",
  "header-square": "square",
  opengraph: "opengraph"
} as const satisfies Readonly<Record<LogoType, string>>

const Logo = ({ instance, onSaved, type }: Shown & { readonly type: LogoType }) => {
  const params = { logoType: type }
  const kind = { type: kinds[type] }
  const logo = instance.logo.find((it) => it.type === type)
  const isOwn = logo?.isFallback === false
  const title = t("logoName", kind)
  return (
    <PictureField
      title={title}
      help={t("logoHelp", kind)}
      choose={t("chooseLogo", kind)}
      remove={t("removeLogo", kind)}
      limits={constraints.logo}
      onSaved={onSaved}
      send={(file) =>
        call("POST /api/v1/config/instance-logo/:logoType/pick", { params, body: formWith("logofile", file) })
      }
      onRemove={isOwn ? () => call("DELETE /api/v1/config/instance-logo/:logoType", { params }) : undefined}
    >
      {isOwn ? (
        <img class="logo-shown" data-logo={type} src={localAddress(logo.fileUrl)} alt={t("ofNow", { title })} />
      ) : (
        <p class="form-note">{t("noLogo", kind)}</p>
      )}
    </PictureField>
  )
}

/** Avatar, banner and logos of the instance. They change at once. */
export const Pictures = () => {
  const { again, data, failure } = useLoad("instance pictures", (signal) => call("GET /api/v1/config", { signal }))
  if (failure !== undefined && data === undefined)
    return <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />
  if (data === undefined) return <Skeleton rows={6} />
  const shown = { instance: data.instance, onSaved: again }
  return (
    <div class="pictures">
      <InstanceAvatar {...shown} />
      <Banner {...shown} />
      {logoTypes.map((type) => (
        <Logo key={type} type={type} {...shown} />
      ))}
    </div>
  )
}
