"""Prints the versions of the packages of an environment.   versions.py"""
import importlib.metadata
import json

WANTED = ("torch", "xgboost-cpu", "xgboost", "lightgbm", "MAPIE", "crepes", "covmetrics", "shap", "scikit-learn", "pandas", "numpy")


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


print(json.dumps({name: version(name) for name in WANTED if version(name)}))
