import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { handleOf } from "./Cards.ts"
import type { PageActor } from "./PageActors.ts"
import type { Surroundings } from "./Layout.ts"
import { richText } from "./Text.ts"

const fact = (name: string, value: Html | string): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`

/** What an account or a channel says about itself, and what is known of it. */
export const actorAbout = ({ instance, language }: Surroundings, found: PageActor): Html => {
  const t = language.text("actors")
  const ownHost = new URL(instance.origin).host
  const { actor } = found
  const owner = found.kind === "channel" ? found.actor.ownerAccount : undefined
  const support = found.kind === "channel" ? (found.actor.support ?? "") : ""
  const email = found.kind === "channel" ? (found.actor.publicEmail ?? "") : ""
  const feed = `/feeds/videos.xml?${found.kind === "account" ? "accountId" : "videoChannelId"}=${actor.id}`
  return html`<div class="plain actor-about">
    ${
      actor.description === null || actor.description === ""
        ? html`<p class="none">${t("noDescription")}</p>`
        : html`<div class="rich" dir="auto">${richText(actor.description, -1)}</div>`
    }
    ${
      support !== "" &&
      html`<h2>${t("support")}</h2>
        <div class="rich" dir="auto">${richText(support, -1)}</div>`
    }
    <h2>${t("details")}</h2>
    <dl class="about-facts">
      ${fact(t("address"), html`<span class="handle">@${actor.name}@${actor.host}</span>`)}
      ${owner !== undefined && fact(t("owner"), html`<a href="/a/${handleOf(owner, ownHost)}"><bdi>${owner.displayName}</bdi></a>`)}
      ${fact(t("since"), html`<time datetime="${actor.createdAt}">${language.day(actor.createdAt)}</time>`)}
      ${email !== "" && fact(t("contact"), html`<a${urlAttribute("href", `mailto:${email}`)}>${email}</a>`)}
      ${actor.host !== ownHost && fact(t("home"), html`<a${urlAttribute("href", actor.url)} rel="noopener">${actor.host}</a>`)}
      ${fact(t("feed"), html`<a${urlAttribute("href", feed)}>RSS</a>`)}
    </dl>
  </div>`
}
