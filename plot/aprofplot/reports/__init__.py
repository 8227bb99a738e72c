"""Profiles as tables for people, JSON and CSV."""
