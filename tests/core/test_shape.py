"""`Shape` counts as numpy does in C order, and its two directions undo each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calcgraph.core.shape import Shape
from calcgraph.core.values import Dim

sizes = st.lists(st.integers(1, 6), max_size=4).map(tuple)


def _dim(name: str, size: int) -> Dim:
    keys = tuple(f"{name}{index}" for index in range(size))
    return Dim(name, "labels", keys, keys, {key: index for index, key in enumerate(keys)})


def _shape(sizes: tuple[int, ...]) -> Shape:
    return Shape(tuple(_dim("abcd"[at], size) for at, size in enumerate(sizes)))


@given(sizes)
def test_ravel_undoes_unravel_at_every_flat_index(sizes: tuple[int, ...]) -> None:
    shape = _shape(sizes)

    found = [shape.ravel(shape.unravel(flat_index)) for flat_index in range(shape.size)]

    assert found == list(range(shape.size))


@given(sizes)
def test_unravel_undoes_ravel_at_all_coordinates(sizes: tuple[int, ...]) -> None:
    shape = _shape(sizes)
    coordinates = list(np.ndindex(*sizes))

    assert [shape.unravel(shape.ravel(at)) for at in coordinates] == coordinates
    assert list(shape.all_coordinates()) == coordinates


@given(sizes)
def test_the_order_and_the_strides_are_those_of_a_c_array(sizes: tuple[int, ...]) -> None:
    shape = _shape(sizes)
    array = np.arange(shape.size, dtype=np.int64).reshape(sizes)

    assert shape.size == array.size
    assert shape.sizes == array.shape
    assert shape.strides == tuple(stride // array.itemsize for stride in array.strides)
    assert all(shape.ravel(at) == value for at, value in np.ndenumerate(array))


@given(sizes, st.data())
def test_select_takes_what_an_open_mesh_takes_of_an_array(
    sizes: tuple[int, ...], data: st.DataObject
) -> None:
    shape = _shape(sizes)
    array = np.arange(shape.size, dtype=np.int64).reshape(sizes)
    chosen = [data.draw(st.lists(st.integers(0, size - 1))) for size in sizes]

    taken = array[np.ix_(*(np.array(some, dtype=np.int64) for some in chosen))]

    assert list(shape.select(chosen)) == taken.ravel().tolist()


@given(sizes)
def test_labels_are_listed_in_flat_order(sizes: tuple[int, ...]) -> None:
    shape = _shape(sizes)

    found = [shape.labels(flat_index) for flat_index in range(shape.size)]

    assert found == list(shape.all_labels())
    assert found == [
        tuple(f"{'abcd'[dim]}{index}" for dim, index in enumerate(at)) for at in np.ndindex(*sizes)
    ]


@pytest.mark.parametrize("flat_index", [-1, 6])
def test_an_index_outside_has_no_coordinates(flat_index: int) -> None:
    with pytest.raises(IndexError, match="outside"):
        _shape((2, 3)).unravel(flat_index)


def test_a_dim_without_labels_leaves_no_values() -> None:
    shape = _shape((2, 0))

    assert shape.size == 0
    assert list(shape.all_coordinates()) == []
