"""Labels that people give: which explanations they are shown, and the sheets on which they label them."""
