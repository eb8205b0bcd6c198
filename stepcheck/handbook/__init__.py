"""The handbook: the rules' pages and the ideas behind them as a site, every example and story in it run anew."""
