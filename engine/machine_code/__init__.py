"""Where the machine code of kernels comes from: the pack that ships with us, the user's folder, or the compiler.

`kernel_dispatcher` is what a kernel is to numba. It asks `code_cache`, which knows a kernel by what it says
(`function_key`), looks into the `code_pack` and the `private_folder`, and turns `stored_code` back into something to call.
What is compiled after all is compiled once (`inner_code`), and `compile_news` tells those who listen.
"""
