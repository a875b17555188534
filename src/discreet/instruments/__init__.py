"""The three instruments as the user calls them: a dataframe in, a result out. The rooms behind them know arrays."""
