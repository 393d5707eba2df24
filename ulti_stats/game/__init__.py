"""What Ulti is: cards, rulesets, auction, play, scoring, histories."""
