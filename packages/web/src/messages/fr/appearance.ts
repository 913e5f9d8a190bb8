import type { messages as english } from "../en/appearance.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Apparence",
  lead: "Comment l’instance se présente à tous, avec effet immédiat sur chaque nœud.",
  see: "Voir l’instance",
  parts: "Parties de l’apparence",
  pictures: "Images",
  theme: "Couleurs",
  code: "CSS et JavaScript",
  home: "Page d’accueil",
  avatar: "Avatar",
  avatarHelp:
    "Représente l’instance sur les autres instances et dans les applications. Idéal : un carré de 1500 sur 1500 pixels.",
  chooseAvatar: "Choisir un avatar",
  removeAvatar: "Retirer l’avatar",
  banner: "Bannière",
  bannerHelp: "Affichée par les applications au-dessus des textes sur l’instance. Idéal : 1920 sur 317 pixels.",
  bannerOfNow: "La bannière actuelle",
  chooseBanner: "Choisir une bannière",
  removeBanner: "Retirer la bannière",
  logoName:
    "{type, select, favicon {Icône de l’onglet} wide {Logo large} square {Logo carré} other {Image des aperçus}}",
  logoHelp:
    "{type, select, favicon {Affichée par les navigateurs dans les onglets et les favoris. Elle aura 32 sur 32 pixels.} wide {Dans l’en-tête, à la place du logo carré et du nom. Il aura 48 pixels de haut et garde sa forme.} square {À côté du nom dans l’en-tête, quand il n’y a pas de logo large. Il aura 48 sur 48 pixels.} other {Affichée là où d’autres lient une page sans image à elle. Elle aura 1200 sur 650 pixels.}}",
  chooseLogo:
    "{type, select, favicon {Choisir une icône} wide {Choisir un logo large} square {Choisir un logo carré} other {Choisir un aperçu}}",
  removeLogo:
    "{type, select, favicon {Retirer l’icône} wide {Retirer le logo large} square {Retirer le logo carré} other {Retirer l’aperçu}}",
  ofNow: "{title}, image actuelle",
  noLogo:
    "{type, select, wide {Il n’y en a pas : le logo carré et le nom sont affichés.} opengraph {Il n’y en a pas : les aperçus sont sans image.} other {Il n’y en a pas : celle du programme est affichée.}}",
  themeText:
    "Une couleur s’écrit comme en CSS : #1a7f5a ou hsl(160 66% 30%). Chacune vaut en mode clair comme en mode sombre : regardez les deux ci-dessous.",
  primaryColor: "Boutons et liens",
  onPrimaryColor: "Texte des boutons",
  foregroundColor: "Texte",
  backgroundColor: "Page",
  backgroundSecondaryColor: "Cartes et champs",
  headerForegroundColor: "Texte de l’en-tête",
  headerBackgroundColor: "En-tête",
  menuForegroundColor: "Texte du menu",
  menuBackgroundColor: "Menu",
  menuBorderRadius: "Coins du menu",
  inputBorderRadius: "Coins des champs",
  lengthHelp: "Une longueur CSS, comme 8px ou 0.5rem.",
  ofProgram: "Par défaut",
  choose: "Choisir : {name}",
  preview: "Aperçu",
  schemeName: "{scheme, select, light {Mode clair} other {Mode sombre}}",
  look: "Instance",
  lookMenu: "Tendances",
  lookText: "Texte d’une page.",
  lookField: "Champ",
  lookButton: "Bouton",
  hardToRead: "Peu lisible : « {above} » sur « {below} » a un contraste de {ratio}. Il faut au moins 4,5.",
  player: "Aspect du lecteur",
  playerHelp: "Quand ni la chaîne ni la vidéo n’en choisissent un.",
  playerName: "{theme, select, galaxy {Galaxy} other {Lucide}}",
  hideName: "Afficher le logo sans le nom",
  hideNameHelp: "Dans l’en-tête. Les lecteurs d’écran disent toujours le nom.",
  pinned: "Réglé par {name} de l’environnement : ne peut pas être changé ici.",
  saved: "L’apparence est enregistrée. Les autres pages la montrent une fois rechargées.",
  unsaved: "Vos modifications ne sont pas encore enregistrées.",
  discard: "Abandonner les modifications",
  css: "CSS",
  cssHelp: "Ajouté à chaque page après les styles du programme.",
  javascript: "JavaScript",
  javascriptHelp:
    "S’exécute sur chaque page sauf les lecteurs intégrés, avec les droits de la personne connectée. Ne collez rien que vous ne comprenez pas.",
  codeText:
    "Les deux valent aussi sur cette page. S’ils la rendent inutilisable, retirez-les dans un terminal : kinora config unset instance.customizations.css, ou instance.customizations.javascript.",
  homeText: "Une page avec vos propres mots, à l’adresse /home. Sans texte, il n’y en a pas.",
  homeContent: "Texte en Markdown",
  homeHelp: "Paragraphes, listes, citations, code, emphase et liens vers d’autres sites.",
  homeLong: "La page ne montre que les {max} premiers caractères.",
  homePreviewHelp:
    "Selon les mêmes règles que la page : HTML, titres et images n’y sont pas affichés non plus. Il manque ici l’en-tête, et votre CSS s’il n’a pas encore été chargé.",
  homeSaved: "La page d’accueil est enregistrée.",
  homeRemoved: "Il n’y a plus de page d’accueil.",
  seeHome: "Voir la page d’accueil"
} satisfies Translation<typeof english>
