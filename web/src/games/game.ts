import type { ComponentType } from "preact";
import type { PlayedRound, Settings, View, WireEvent } from "../api/types.ts";
import type { Key } from "../i18n/index.ts";
import type { Picture } from "../picture/canvas.ts";
import type { Said } from "../table/narrate.ts";
import type { TableStore } from "../table/store.ts";
import type { IconName } from "../ui/Icon.tsx";

/** A table that can be opened with a tap. Whatever is not said here is the game's own default. */
export interface Preset {
  id: string;
  title: Key;
  hint: Key;
  settings: Settings;
}

/** A table for one person and the house: how many house players come, and the ways they can play, the usual one first. */
export interface HouseTable {
  settings: Settings;
  bots: number;
  /** Whether there is a tournament of one table against the house as well. */
  sitAndGo?: boolean;
  /** Not where the game has a `HouseChoice`. */
  styles?: readonly (readonly [string, Key])[];
  /** What is proposed to a host who adds house players, where the server has it. */
  usual?: string;
  /** Which of the server's styles are of use at a table with these settings; all of them unless it is said. */
  fitting?(styles: readonly string[], settings: Settings): readonly string[];
}

/** A page of a game that needs no table: '/analysis'. Its words come with it. */
export interface GamePage {
  path: string;
  title: Key;
  Page: ComponentType;
}

/** What the lobby has to know of a game: small, as it comes with the first load. */
export interface GameEntry {
  name: string;
  /** A sign for lists. */
  mark: string;
  /** What one round of it is called. */
  round: "hand" | "game" | "round";
  presets: readonly Preset[];
  house: HouseTable | null;
  /** Whether whoever opens a table plays at it, and gets the first seat at once; on one screen both, and the game starts. */
  seatsOpener?: boolean;
  pages?: readonly GamePage[];
  /** What a table is played for or with, in a few characters: '1/2', '5+3'. */
  stakes(settings: Settings): string;
  /** How a game against the house is chosen, where level and colour make more than one button. */
  HouseChoice?: ComponentType<HouseChoiceProps>;
  /** How the game looks on this device, for the page about oneself. */
  Look?: ComponentType;
  /** Everything else, fetched when a table or a record of the game is opened, with the words it needs. */
  room(): Promise<GameRoom>;
}

export interface HouseChoiceProps {
  busy: boolean;
  onPlay(settings: Settings, style: string): void;
}

/** How a game is played, told and recorded in the page. */
export interface GameRoom {
  Table: ComponentType<GameTableProps>;
  /** Whether the table fills the window without scrolling, and shows notices and the way to a seat itself. */
  fillsWindow?: boolean;
  tell: Tell;
  Replay: ComponentType<{ played: PlayedRound }>;
  /** A finished round as a picture to share, with one's own cards or without; null where the record says too little. */
  picture?(played: PlayedRound, own: boolean): Promise<Picture | null>;
  /** Pages of the side panel besides chat, log and people. */
  panels: readonly GamePanel[];
  /** Whether the table itself shows chat, log and people on a wide screen. */
  hasPanel?: boolean;
  /** Whether the table sounds every move, so that one's turn needs no sound of its own while one looks. */
  soundsMoves?: boolean;
  /** Choices of this device, in the table's menu. */
  Options: ComponentType | null;
}

export interface GameTableProps {
  table: TableStore;
  onInvite(): void;
}

export interface GamePanel {
  id: string;
  title: Key;
  icon: IconName;
  Content: ComponentType<{ table: TableStore }>;
}

/** Puts an event of a game into words; null where there is nothing to say. */
export type Tell = (event: WireEvent, view: View<never, never, never>, name: (seat: unknown) => string) => Said;
