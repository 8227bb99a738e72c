"""Profiles as one self-contained HTML page.

data gathers what the page shows, points, sources and contexts parts of it; page makes the page of
it with the templates, scripts and style sheet in templates/.
"""
