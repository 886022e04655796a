import { t } from "../i18n/index.ts";
import { ServerFacts } from "./ServerFacts.tsx";
import { SuggestionBox } from "./SuggestionBox.tsx";
import "../styles/house.css";

/** What whoever runs the server looks at: the words of the guests, and what is played here. */
export function HousePage() {
  return (
    <div class="page narrow">
      <h1>{t("house.title")}</h1>
      <SuggestionBox />
      <ServerFacts />
    </div>
  );
}
