// SPDX-License-Identifier: MIT
// A module for Python that exchanges tensors with what else Python has, by DLPack. python.test.py tests it.
#include <Python.h>

#include <ndx/interop/dlpack.hpp>
#include <ndx/ndx.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace {

// [names]
/// What a capsule is called, and what once somebody has taken the tensor in it.
template <class Managed>
constexpr std::pair names{"dltensor", "used_dltensor"};
template <>
constexpr std::pair names<ndx::dlpack::DLManagedTensorVersioned>{"dltensor_versioned", "used_dltensor_versioned"};

/// The managed tensor that nobody has taken out of a capsule; null where there is none.
template <class Managed>
Managed* in_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, names<Managed>.first) == 0) return nullptr;
  return static_cast<Managed*>(PyCapsule_GetPointer(capsule, names<Managed>.first));
}
// [/names]

// [take]
/// The tensor in a capsule, without a copy. The capsule is renamed, so that nobody else takes it.
template <class T, std::size_t Rank>
ndx::dlpack_tensor<T, Rank> take(PyObject* capsule) {
  auto const take_as = [&](auto* managed) {
    auto result = ndx::from_dlpack<T, Rank>(managed);
    PyCapsule_SetName(capsule, names<std::remove_pointer_t<decltype(managed)>>.second);
    return result;
  };
  if (auto* const versioned = in_capsule<ndx::dlpack::DLManagedTensorVersioned>(capsule)) return take_as(versioned);
  if (auto* const managed = in_capsule<ndx::dlpack::DLManagedTensor>(capsule)) return take_as(managed);
  throw ndx::error("due is a DLPack capsule that nobody has taken");
}
// [/take]

// [give]
/// A capsule for `torch.from_dlpack` and the like. If nobody takes the tensor, it goes with the capsule.
template <class Managed>
PyObject* give(ndx::dlpack::unique<Managed> managed) {
  PyObject* const capsule = PyCapsule_New(managed.get(), names<Managed>.first, [](PyObject* self) {
    ndx::dlpack::unique<Managed> const left(in_capsule<Managed>(self));
  });
  if (capsule != nullptr) static_cast<void>(managed.release());
  return capsule;
}
// [/give]

/// A reference that is given back.
class reference {
public:
  explicit reference(PyObject* object) : object_(object) {
    if (object == nullptr) throw std::exception();  // Python knows why
  }
  reference(reference const&) = delete;
  ~reference() { Py_DECREF(object_); }
  [[nodiscard]] PyObject* get() const { return object_; }

private:
  PyObject* object_;
};

/// What `object.__dlpack__()` gives; or the object, where it is a capsule.
template <class T, std::size_t Rank>
ndx::dlpack_tensor<T, Rank> tensor_of(PyObject* object) {
  if (PyCapsule_CheckExact(object)) return take<T, Rank>(object);
  reference const export_function(PyObject_GetAttrString(object, "__dlpack__"));
  reference const none(PyTuple_New(0));
  reference const newest(Py_BuildValue("{s:(ii)}", "max_version", 1, 0));
  PyObject* capsule = PyObject_Call(export_function.get(), none.get(), newest.get());
  if (capsule == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {  // it knows no versions
    PyErr_Clear();
    capsule = PyObject_CallNoArgs(export_function.get());
  }
  reference const held(capsule);
  return take<T, Rank>(held.get());
}

std::atomic<int> tensors_alive{0};
struct counted {
  counted() { ++tensors_alive; }
  counted(counted const&) { ++tensors_alive; }
  ~counted() { --tensors_alive; }
};

/// Runs a function that throws, for Python, which gets BufferError.
template <class Call>
PyObject* guarded(Call const& call) {
  try {
    return call();
  } catch (ndx::error const& problem) {
    PyErr_SetString(PyExc_BufferError, problem.what());
  } catch (std::exception const& problem) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_RuntimeError, problem.what());
  }
  return nullptr;
}

/// gather(table, indices, output): rows of float32 named by indices of int64 {n, 1}.
PyObject* gather(PyObject*, PyObject* arguments) {
  return guarded([&]() -> PyObject* {
    PyObject *table, *indices, *output;
    if (PyArg_ParseTuple(arguments, "OOO", &table, &indices, &output) == 0) return nullptr;
    ndx::gather_nd(ndx::simd, tensor_of<float const, 2>(table), tensor_of<std::int64_t const, 2>(indices),
                   tensor_of<float, 2>(output));
    Py_RETURN_NONE;
  });
}

/// look(x): address, extents and strides in elements of a tensor of float32 and rank 2.
PyObject* look(PyObject*, PyObject* object) {
  return guarded([&] {
    auto const tensor = tensor_of<float const, 2>(object);
    auto const view = tensor.view();
    return Py_BuildValue("n(LL)(LL)", reinterpret_cast<Py_ssize_t>(view.data_handle()),
                         static_cast<long long>(view.extent(0)), static_cast<long long>(view.extent(1)),
                         static_cast<long long>(view.stride(0)), static_cast<long long>(view.stride(1)));
  });
}

/// write(x): a capsule is taken to be written.
PyObject* write(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    tensor_of<float, 2>(object).view()(0, 0) = -1.0f;
    Py_RETURN_NONE;
  });
}

/// counting(rows, columns, versioned, read_only): its address, and a capsule of float32 from 0 on, row by row.
PyObject* counting(PyObject*, PyObject* arguments) {
  return guarded([&]() -> PyObject* {
    long long rows, columns;
    int versioned, read_only;
    if (PyArg_ParseTuple(arguments, "LLpp", &rows, &columns, &versioned, &read_only) == 0) return nullptr;
    ndx::tensor<float, 2> tensor({rows, columns});
    float next = 0.0f;
    for (float& element : tensor) element = next++;
    auto owner = std::pair(std::move(tensor), counted());
    auto const view = owner.first.view();
    auto const address = reinterpret_cast<Py_ssize_t>(view.data_handle());
    if (read_only != 0)
      return Py_BuildValue("nN", address,
                           give(ndx::to_dlpack(ndx::tensor_view<float const, 2>(view), std::move(owner))));
    if (versioned != 0) return Py_BuildValue("nN", address, give(ndx::to_dlpack(view, std::move(owner))));
    return Py_BuildValue("nN", address, give(ndx::to_dlpack<ndx::dlpack::DLManagedTensor>(view, std::move(owner))));
  });
}

/// alive(): how many tensors of counting() have not been deleted.
PyObject* alive(PyObject*, PyObject*) { return PyLong_FromLong(tensors_alive); }

PyMethodDef methods[] = {{"gather", gather, METH_VARARGS, nullptr}, {"look", look, METH_O, nullptr},
                         {"write", write, METH_O, nullptr},         {"counting", counting, METH_VARARGS, nullptr},
                         {"alive", alive, METH_NOARGS, nullptr},    {nullptr, nullptr, 0, nullptr}};
PyModuleDef module{PyModuleDef_HEAD_INIT, "ndx_exchange", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_ndx_exchange() { return PyModule_Create(&module); }
