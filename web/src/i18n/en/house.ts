/** The words of the operator's page. The English ones have the keys that every other language fills. */
export const words = {
  "house.title": "The house",
  "house.suggestions": "Suggestions",
  "house.suggestions.all": "The last ten. All that are kept are listed by",
  "house.suggestions.none": "The box is empty. What guests write to the host appears here.",
  "house.server": "This server",
  "house.version": "Version",
  "house.games": "Games, and how the house plays them",
};
