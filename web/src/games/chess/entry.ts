import type { ComponentType } from "preact";
import { loadWords, type Area } from "../../i18n/index.ts";
import { chessStakes } from "../../lobby/describe.ts";
import { lazy } from "../../ui/Lazy.tsx";
import type { GameEntry, HouseChoiceProps } from "../game.ts";
import { loadOffered } from "../offered.ts";
import { fittingStyles, USUAL_LEVEL } from "./levels.ts";

function page(load: () => Promise<ComponentType>, ...words: Area[]): ComponentType {
  return lazy(async () => {
    const [Page] = await Promise.all([load(), loadWords("chess", "study", ...words)]);
    return Page;
  });
}

export const chess: GameEntry = {
  name: "chess",
  mark: "♞",
  round: "game",
  seatsOpener: true,
  stakes: chessStakes,
  presets: [
    { id: "blitz", title: "preset.blitz", hint: "preset.blitz.hint", settings: { minutes: 5, increment: 3, autostart: true } },
    { id: "rapid", title: "preset.rapid", hint: "preset.rapid.hint", settings: { minutes: 15, increment: 10, autostart: true } },
    { id: "untimed", title: "preset.untimed", hint: "preset.untimed.hint", settings: { untimed: true, autostart: true } },
    { id: "screen", title: "preset.screen", hint: "preset.screen.hint", settings: { untimed: true, same_screen: true } },
  ],
  house: {
    settings: { untimed: true, private: true },
    bots: 1,
    usual: USUAL_LEVEL,
    fitting: (styles, { variant }) => fittingStyles(styles, variant ?? "standard"),
  },
  HouseChoice: lazy<HouseChoiceProps>(async () => {
    const [choice] = await Promise.all([
      import("./HouseChoice.tsx"),
      import("./art/sets.ts").then((pieces) => pieces.dressPieces()),
      loadWords("look"),
      loadOffered().catch(() => undefined), // without a connection there is no game either
    ]);
    return choice.HouseChoice;
  }),
  Look: lazy(async () => {
    const [options] = await Promise.all([import("./Options.tsx"), loadWords("look")]);
    return options.Options;
  }),
  pages: [
    { path: "/analysis", title: "tool.analysis", Page: page(async () => (await import("./study/AnalysisPage.tsx")).AnalysisPage) },
    { path: "/editor", title: "tool.editor", Page: page(async () => (await import("./study/EditorPage.tsx")).EditorPage, "editor") },
  ],
  async room() {
    const [room, pieces] = await Promise.all([import("./room.ts"), import("./art/sets.ts"), loadWords("chess", "play")]);
    await pieces.dressPieces();
    return room.room;
  },
};
