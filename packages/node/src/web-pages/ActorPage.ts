import type { VideoList } from "@kinora/domain/wire/Video"
import { face, handleOf, pagedCards } from "./Cards.ts"
import { truncate } from "../platform/html/Escape.ts"
import { type Html, html, nothing, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { activityLink, feedLinks, noIndex, pageMetadata } from "./Metadata.ts"
import type { PageActor } from "./PageActors.ts"
import { subscribeButton } from "./SubscribeButton.ts"
import { toPlainText } from "../platform/markdown/Markdown.ts"
import { richText } from "./Text.ts"

const feedsOf = ({ actor, kind }: PageActor): Html => {
  const name = actor.displayName
  const query = `?${kind === "account" ? "accountId" : "videoChannelId"}=${actor.id}`
  return feedLinks([
    { title: name, path: `/feeds/videos.xml${query}` },
    { title: `${name} (Atom)`, path: `/feeds/videos.atom${query}`, type: "application/atom+xml" },
    ...(kind === "account"
      ? [{ title: `Comments by ${name}`, path: `/feeds/video-comments.xml${query}` }]
      : [
          { title: `${name} (podcast)`, path: `/feeds/podcast/videos.xml${query}` },
          { title: `Comments on ${name}`, path: `/feeds/video-comments.xml${query}` }
        ])
  ])
}

/** The page of an account or a channel with its videos. */
export const actorPage = (
  surroundings: Surroundings,
  page: {
    readonly found: PageActor
    readonly list: VideoList
    readonly start: number
    readonly now: number
    readonly indexable: boolean
  }
): Html => {
  const { instance } = surroundings
  const { found, list } = page
  const { actor } = found
  const ownHost = new URL(instance.origin).host
  const handle = handleOf(actor, ownHost)
  const path = `/${found.kind === "account" ? "a" : "c"}/${handle}`
  const local = actor.host === ownHost
  const banner = found.kind === "channel" ? found.actor.banners.toSorted((a, b) => b.width - a.width)[0] : undefined
  const picture = actor.avatars.toSorted((a, b) => b.width - a.width)[0]
  const followers = `${actor.followersCount} follower${actor.followersCount === 1 ? "" : "s"}`
  const said = toPlainText(actor.description ?? "").replace(/\s+/g, " ")
  return layout(surroundings, {
    title: actor.displayName,
    entry: "site",
    head: html`${(!local || !page.indexable) && noIndex}${pageMetadata({
      type: "profile",
      title: actor.displayName,
      description: truncate(said, 250) || `${actor.displayName} on ${instance.name}`,
      url: local ? `${instance.origin}${path}` : actor.url,
      image: picture?.fileUrl
    })}${feedsOf(found)}${activityLink(actor.url)}`,
    body: html`${banner === undefined ? nothing : html`<img class="banner" ${urlAttribute("src", banner.path || banner.fileUrl)} alt="" />`}
      <header class="actor">
        ${face(actor, 192)}
        <div class="actor-text">
          <h1 dir="auto">${actor.displayName}</h1>
          <p class="handle">@${actor.name}@${actor.host}<span class="dot"></span>${followers}</p>
          ${
            actor.description !== null &&
            actor.description !== "" &&
            html`<div class="about rich" dir="auto">${richText(actor.description, -1)}</div>`
          }
        </div>
        ${found.kind === "channel" && subscribeButton(handle)}
      </header>
      ${
        list.data.length > 0
          ? pagedCards(list, { path, start: page.start, ownHost, now: page.now })
          : html`<p class="none">No public videos here yet.</p>`
      }`
  })
}
