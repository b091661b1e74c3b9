"""Parameters whose names scikit-learn takes for methods."""


class ParameterOnly:
    """Kept, found by get_params(), but no attribute."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        raise AttributeError(f"'{self.name}' is a parameter: read it with get_params(), change it with set_params()")

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value
